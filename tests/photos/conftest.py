"""What tests about photos share: an empty folder for their files, and sending one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.people.viewer import Viewer
from photos.models import Photo
from photos.writes import upload_photo
from tests.accounts.pictures import camera_jpeg


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    """Where the files of photos are kept, for one test."""
    kept = settings.STORAGES["photos"]
    options = kept["OPTIONS"] | {"location": tmp_path / "photos"}
    settings.STORAGES = settings.STORAGES | {"photos": kept | {"OPTIONS": options}}
    return tmp_path / "photos"


@pytest.fixture
def upload(folder: Path) -> Callable[..., Photo]:
    """`upload(alice)`: a photo of hers."""

    def send(viewer: Viewer, content: bytes = b"", **about: str) -> Photo:
        file = SimpleUploadedFile("me.jpg", content or camera_jpeg())
        return upload_photo(by=viewer, upload=file, **about)

    return send


def files_in(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())

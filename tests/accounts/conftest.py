"""What tests about people share: a folder for uploads that is empty at first, and sending one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client


@pytest.fixture
def media(settings: Any, tmp_path: Path) -> Path:
    """Where uploads are kept, for one test."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def upload(media: Path) -> Callable[..., HttpResponse]:
    """`upload(browser, content)`: saves the profile with a picture."""

    def send(browser: Client, content: bytes, name: str = "me.png", **form: str) -> HttpResponse:
        file = SimpleUploadedFile(name, content, content_type="image/png")
        return browser.post("/settings/profile", {"name": "Alice", "avatar": file} | form)

    return send

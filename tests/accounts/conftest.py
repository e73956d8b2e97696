"""What tests about people share: a folder for uploads that is empty at first, and sending one."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from accounts.people.viewer import Viewer
from accounts.sign_in import browsers
from socialsite.web import limits
from tests.accounts.authenticator import Authenticator, prove
from tests.accounts.scenes import Clock

DECADE = 10 * 365 * 86_400  # a window that does not end while a test runs


@pytest.fixture
def limit(monkeypatch):
    """`limit(module, "NAME", 2)`: that limit, but at 2."""

    def lower(module, name: str, hits: int, seconds: int = DECADE) -> None:
        changed = replace(getattr(module, name), hits=hits, seconds=seconds)
        monkeypatch.setattr(module, name, changed)

    return lower


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


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """Time stands still, so that no pause ends while a test runs."""
    clock = Clock()
    monkeypatch.setattr(limits, "time", clock)
    return clock


@pytest.fixture
def lane(monkeypatch) -> Callable[..., None]:
    """`lane("PASSWORD_BY_ACCOUNT", free=2)`: that lane, but so."""

    def set_lane(name: str, **changed: int) -> None:
        monkeypatch.setattr(browsers, name, replace(getattr(browsers, name), **changed))

    return set_lane


@pytest.fixture
def phone() -> Authenticator:
    """A device without passkeys."""
    return Authenticator()


@pytest.fixture
def proved(alice: Viewer, log_in: Callable[[Viewer], Client]) -> Client:
    """Alice's browser, in which she has just confirmed who she is."""
    return prove(log_in(alice))

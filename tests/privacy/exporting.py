"""An export as its owner has it: asked for, made by worker and clock, downloaded and opened."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.test import Client

from accounts.people.viewer import Viewer
from privacy.export.writes import State, ask_for_export, get_export
from socialsite.due.work import do_due
from tests.conftest import PASSWORD

PAGE, OPEN, FILE = "/settings/export", "/settings/export/download", "/settings/export/file"
SITE = "https://social.example"


@dataclass(frozen=True)
class Unpacked:
    """The content of a zip."""

    content: bytes

    @cached_property
    def zip(self) -> ZipFile:
        return ZipFile(BytesIO(self.content))

    @property
    def names(self) -> list[str]:
        return self.zip.namelist()

    def bytes(self, name: str) -> bytes:
        return self.zip.read(name)

    def text(self, name: str) -> str:
        return self.bytes(name).decode()

    def json(self, name: str) -> Any:
        return json.loads(self.bytes(name))

    def items(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.json(f"data/{kind}.json")["items"]
        return found

    @property
    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = self.json("manifest.json")
        return found

    def wrong_hashes(self) -> list[str]:
        stated = {file["path"]: (file["bytes"], file["sha256"]) for file in self.manifest["files"]}
        found = {
            name: (len(self.bytes(name)), hashlib.sha256(self.bytes(name)).hexdigest())
            for name in self.names
            if name != "manifest.json"
        }
        return [name for name in {**stated, **found} if stated.get(name) != found.get(name)]


def ask(viewer: Viewer, *, language: str = "en", zone: str = "UTC") -> None:
    ask_for_export(by=viewer, site=SITE, language=language, zone=zone)


def make(drain: Callable[[], None]) -> None:
    """Lets worker and clock do what is to be done now."""
    drain()
    do_due()


def state_of(viewer: Viewer) -> State:
    found = get_export(viewer.user_id)
    assert found is not None
    return found


def prove(browser: Client) -> None:
    assert browser.post("/confirm", {"password": PASSWORD}).status_code == 302


def download(browser: Client, **headers: str) -> bytes:
    answer = browser.get(FILE, headers=headers)
    assert answer.status_code in (200, 206), answer
    return answer.getvalue()


def export_of(viewer: Viewer, drain: Callable[[], None], browser: Client, **how: str) -> Unpacked:
    """All of it, as a browser gets it."""
    ask(viewer, **how)
    make(drain)
    prove(browser)
    assert browser.post(OPEN)["Location"] == FILE
    return Unpacked(download(browser))

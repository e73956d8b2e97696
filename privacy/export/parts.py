"""Files of an export in private storage: the parts that its steps leave, and the zip.

A part is named after its content, and names the part before it. The job's cursor names the last one. So whatever a
killed or frozen worker left behind or writes late, the parts of an export are those that its job went by.
"""

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage, storages

from socialsite.table.errors import translated

STORAGE = "exports"
ZIP = "export.zip"
NAME_LENGTH = 32


def save_part(user_id: str, export_id: str, lines: Iterable[str], *, before: str) -> str:
    """Keeps the lines of a step, and returns the part's name. `before` is the name of the part before it, empty for the
    first. Saving the same again changes nothing. Raises `Unavailable`."""
    content = "\n".join([before, *lines]).encode()
    name = hashlib.sha256(content).hexdigest()[:NAME_LENGTH]
    with translated():
        _storage().save(_path(user_id, export_id, name), ContentFile(content))
    return name


def read_part(user_id: str, export_id: str, name: str) -> tuple[list[str], str]:
    """Returns the lines of a part, and the name of the part before it. Raises `Unavailable`, and `FileNotFoundError` if
    it was deleted."""
    with translated(), _storage().open(_path(user_id, export_id, name)) as file:
        before, *lines = file.read().decode().split("\n")
    return lines, before


def save_zip(user_id: str, export_id: str, made: IO[bytes]) -> None:
    """Keeps the zip, in the place of one that an earlier try has made. Raises `Unavailable`."""
    with translated():
        _storage().save(_path(user_id, export_id, ZIP), File(made))


def open_zip(user_id: str, export_id: str) -> "File[Any]":
    """Returns the zip, open. Raises `Unavailable`, and `FileNotFoundError` if it was deleted."""
    with translated():
        return _storage().open(_path(user_id, export_id, ZIP))


def delete_files(user_id: str, export_id: str) -> None:
    """Deletes all files of an export. Safe to repeat. Raises `Unavailable`."""
    folder = f"{user_id}/{export_id}"
    storage = _storage()
    with translated():
        for name in _names(storage, folder)[1]:
            storage.delete(f"{folder}/{name}")
        _remove_folder(storage, folder)
        _remove_folder(storage, user_id)


def exports_with_files(user_id: str) -> list[str]:
    """Returns the ids of a person's exports of which there are files. Raises `Unavailable`."""
    with translated():
        return list(_names(_storage(), user_id)[0])


def _storage() -> Storage:
    return storages[STORAGE]


def _path(user_id: str, export_id: str, name: str) -> str:
    return f"{user_id}/{export_id}/{name}"


def _names(storage: Storage, folder: str) -> tuple[list[str], list[str]]:
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:
        return [], []
    return list(folders), list(files)


def _remove_folder(storage: Storage, folder: str) -> None:
    """Removes a folder of a file system if nothing is in it. A bucket has none."""
    if hasattr(storage, "base_location"):
        with suppress(OSError):
            storage.delete(folder)

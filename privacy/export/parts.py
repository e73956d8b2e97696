"""Files of an export in private storage: the parts that its steps leave, and the zip. And the records of all parts,
kind by kind, on disk: so that nothing but one record has to be in memory.

A part is named after its content, and names the part before it. The job's cursor names the last one. So whatever a
killed or frozen worker left behind or writes late, the parts of an export are those that its job went by.
"""

import hashlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from typing import IO, Any

import orjson
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage, storages

from socialsite.table import Unavailable, translated

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


@dataclass(slots=True)
class Spool:
    """The records of one kind, each a line of JSON. The file has no name, so nothing of it outlives the process."""

    file: IO[bytes]
    count: int = 0

    def add(self, text: str) -> None:
        self.file.write(text.encode() + b"\n")
        self.count += 1

    def lines(self) -> Iterator[str]:
        self.file.seek(0)
        for text in self.file:
            yield text.decode().removesuffix("\n")

    def records(self) -> Iterator[Any]:
        return map(orjson.loads, self.lines())


@dataclass
class Spools(ExitStack):
    """A spool for each kind of which there are records."""

    of: dict[str, Spool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def spool(self, name: str) -> Spool:
        if name not in self.of:
            self.of[name] = Spool(self.enter_context(TemporaryFile()))  # noqa: SIM115 - the stack closes it
        return self.of[name]

    def add(self, line: str) -> None:
        name, _, text = line.partition("\t")
        self.spool(name).add(text)


def gather(spools: Spools, user_id: str, export_id: str, *, part: str) -> None:
    """Sorts the records of all parts up to this one into spools, in their order. Raises `Unavailable` if a part cannot
    be read."""
    parts = spools.enter_context(TemporaryFile())  # noqa: SIM115 - the stack closes it
    ends = []
    while part:
        try:
            lines, before = read_part(user_id, export_id, part)
        except FileNotFoundError as error:
            raise Unavailable(f"a part of export {export_id} is gone") from error
        parts.write("\n".join(lines).encode())
        ends.append(parts.tell())
        part = before
    for start, end in reversed(
        list(zip([0, *ends], ends, strict=False))
    ):  # the last was read first
        parts.seek(start)
        for line in parts.read(end - start).decode().split("\n"):
            if line:
                spools.add(line)

"""The description of a backup. It is the last file of the archive, so it also proves that the archive is whole."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import IO, Any

MANIFEST = "manifest.json"
FORMAT = 1


class BackupError(Exception):
    """A sentence that says what is wrong with a backup and what to do."""


@dataclass(frozen=True)
class Manifest:
    """The moment, the table, the version and keys of its data, and the SHA-256 of each file by its path."""

    made_at: str
    table: str
    data_version: int
    key_ids: list[str]
    files: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    def to_json(self) -> bytes:
        return json.dumps(asdict(self), indent=1).encode()


def read_manifest(text: bytes) -> Manifest:
    """Reads a manifest. Raises `BackupError` if the text is not one, or has a later format."""
    try:
        manifest = Manifest(**json.loads(text))
        known = manifest.format == FORMAT
    except (ValueError, TypeError) as error:
        raise BackupError("its manifest cannot be read") from error
    if not known:
        raise BackupError("a later version of the site made it")
    return manifest


class HashingReader:
    """Reads a file and hashes what it reads, so that the hash belongs to exactly the bytes that are written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int = -1) -> Any:
        data = self._file.read(size)
        self._hash.update(data)
        return data

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

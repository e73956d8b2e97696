"""A zip that is written file by file, and knows the size and the hash of each."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo


class Entry:
    """A file of the zip, while it is being written."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, content: str | bytes) -> None:
        data = content.encode() if isinstance(content, str) else content
        self._output.write(data)
        self._hash.update(data)
        self.size += len(data)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


class WrittenZip:
    """Names are the site's own and never what people typed, so that they are safe on every system."""

    def __init__(self, target: IO[bytes], *, moment: datetime) -> None:
        self._zip = ZipFile(target, "w")
        self._moment = moment
        self.files: list[dict[str, Any]] = []

    def __enter__(self) -> "WrittenZip":
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @contextmanager
    def file(self, path: str, *, is_packed: bool = False) -> Iterator[Entry]:
        """Opens the next file. One that `is_packed` already, such as a picture, is stored as it is."""
        info = ZipInfo(path, self._moment.timetuple()[:6])
        info.compress_type = ZIP_STORED if is_packed else ZIP_DEFLATED
        info.external_attr = 0o600 << 16
        with self._zip.open(info, "w", force_zip64=True) as output:
            packer = io.BufferedWriter(output, 65_536)
            entry = Entry(packer)
            yield entry
            packer.flush()
            packer.detach()
        self.files.append({"path": path, "bytes": entry.size, "sha256": entry.sha256})

    def put(self, path: str, content: str | bytes, *, is_packed: bool = False) -> None:
        with self.file(path, is_packed=is_packed) as entry:
            entry.write(content)

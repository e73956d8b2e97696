"""A copy of all data: what is in it, and how it is made while the site runs."""

import ctypes
import errno
import hashlib
import io
import json
import math
import os
import shutil
import stat
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from socialsite.engine.choice import choose
from socialsite.engine.database import back_up
from socialsite.engine.program import EngineError
from socialsite.private_files import FILE_MODE, make_private_folder, private_opener

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


AT_FDCWD = -100
RENAME_EXCHANGE = 2


def exchange(one: Path, other: Path) -> None:
    """Swaps the two folders. Linux does it in one step (renameat2), other systems in three.

    Raises `BackupError` if one of them is a mount point.
    """
    try:
        if sys.platform == "linux":
            _exchange_at_once(one, other)
        else:
            _exchange_in_steps(one, other)
    except OSError as error:
        if error.errno in (errno.EBUSY, errno.EXDEV):
            raise BackupError(
                f"{one} is a mount point, which cannot be replaced. Set DATA_DIR to a folder inside it."
            ) from error
        raise


def _exchange_at_once(one: Path, other: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    paths = os.fsencode(one), os.fsencode(other)
    if libc.renameat2(AT_FDCWD, paths[0], AT_FDCWD, paths[1], RENAME_EXCHANGE) == 0:
        return
    code = ctypes.get_errno()
    if code != errno.EINVAL:
        raise OSError(code, os.strerror(code), str(one))
    _exchange_in_steps(one, other)  # a file system without exchange


def _exchange_in_steps(one: Path, other: Path) -> None:
    between = one.with_name(f"{one.name}.exchanged-{os.getpid()}")
    one.rename(between)
    other.rename(one)
    between.rename(other)


BACKUPS = "backups"  # the folder, in the data folder, of backups that name no other place
PREFIX, SUFFIX = "socialsite-", ".tar.gz"
FOLDERS = ("media", "photos", "archive")
KEYS = "*_key.txt"
COMPRESSION = 3  # pictures do not shrink, and the database does at any level


def backup_name(moment: datetime) -> str:
    return f"{PREFIX}{moment.astimezone(UTC):%Y%m%d-%H%M%S}{SUFFIX}"


def create_backup(
    *, data_dir: Path, target: Path, manifest: Manifest, on_bytes: Callable[[int, int], None]
) -> Manifest:
    """Writes the archive and returns its manifest. Raises `BackupError`.

    `on_bytes(done, total)` gets the progress. The archive appears under its name when it is complete and on the disk.
    """
    if target.exists():
        raise BackupError(f"{target} already exists. Choose another name for the backup.")
    partial = target.with_name(f"{target.name}.partial")
    try:
        with _drafted(data_dir) as draft:
            whole = _write(draft, partial, manifest, on_bytes)
        partial.rename(target)
    except (OSError, tarfile.TarError, EngineError) as error:
        raise BackupError(f"The backup to {target} failed. {error}") from error
    finally:
        partial.unlink(missing_ok=True)
    return whole


def remove_old_backups(folder: Path, *, keep: int) -> list[Path]:
    """Deletes all backups in the folder except the newest `keep`, and returns the deleted ones.

    Only names that `backup_name` makes count: they sort by time.
    """
    found = sorted(folder.glob(f"{PREFIX}[0-9]*-[0-9]*{SUFFIX}"))
    old = found[:-keep]
    for file in old:
        file.unlink()
    return old


@contextmanager
def _drafted(data_dir: Path) -> Iterator[Path]:
    """Collects the parts of a backup in their own folder.

    Uploads are linked before the moment of the database's copy, and those that came meanwhile at that moment. So every
    picture that the copy names exists, even if its owner replaces it, and none comes that only later items name.
    """
    program = choose(data_dir)
    draft = data_dir / BACKUPS / f"draft-{os.getpid()}"
    shutil.rmtree(draft, ignore_errors=True)
    make_private_folder(draft)
    try:
        _link_folders(data_dir, draft)
        back_up(
            program.database(data_dir),
            draft / program.database_name,
            at_moment=lambda: _link_folders(data_dir, draft, until=time.time()),
        )
        for key in data_dir.glob(KEYS):
            shutil.copy2(key, draft)
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _link_folders(data_dir: Path, draft: Path, *, until: float = math.inf) -> None:
    """Links the files that have no link yet and were last written by then, in seconds."""
    for name in FOLDERS:
        for file in (data_dir / name).rglob("*"):
            copy = draft / file.relative_to(data_dir)
            if not copy.exists() and _is_file_of(file, until):
                make_private_folder(copy.parent)
                _link(file, copy)


def _is_file_of(file: Path, until: float) -> bool:
    try:
        found = file.stat()
    except FileNotFoundError:  # deleted since it was listed
        return False
    return stat.S_ISREG(found.st_mode) and found.st_mtime <= until


def _link(file: Path, copy: Path) -> None:
    try:
        copy.hardlink_to(file)
    except FileNotFoundError:  # deleted since it was listed, so nothing names it
        pass
    except OSError:  # some file systems have no links
        shutil.copy2(file, copy)


def _write(
    draft: Path, partial: Path, manifest: Manifest, on_bytes: Callable[[int, int], None]
) -> Manifest:
    files = sorted(path for path in draft.rglob("*") if path.is_file())
    total = sum(path.stat().st_size for path in files)
    done, hashes = 0, {}
    with open(partial, "wb", opener=private_opener) as output:
        with tarfile.open(fileobj=output, mode="w:gz", compresslevel=COMPRESSION) as archive:
            for path in files:
                name = path.relative_to(draft).as_posix()
                hashes[name] = _add(archive, path, name)
                done += path.stat().st_size
                on_bytes(done, total)
            whole = replace(manifest, files=hashes)
            _add_manifest(archive, whole)
        output.flush()
        os.fsync(output.fileno())
    return whole


def _add(archive: tarfile.TarFile, path: Path, name: str) -> str:
    with path.open("rb") as file:
        member = archive.gettarinfo(arcname=name, fileobj=file)
        member.type, member.linkname = tarfile.REGTYPE, ""  # of two links to one file, both
        member.size, member.mode = os.fstat(file.fileno()).st_size, FILE_MODE
        reader = HashingReader(file)
        archive.addfile(member, reader)
        return reader.hexdigest()


def _add_manifest(archive: tarfile.TarFile, manifest: Manifest) -> None:
    text = manifest.to_json()
    member = tarfile.TarInfo(MANIFEST)
    member.size, member.mode = len(text), FILE_MODE
    archive.addfile(member, io.BytesIO(text))

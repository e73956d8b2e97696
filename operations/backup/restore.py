"""Replaces the data folder with a backup, completely or not at all."""

import hashlib
import os
import shutil
import sqlite3
import tarfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath
from typing import IO

from operations.backup import bucket
from operations.backup.create import (
    BACKUPS,
    FOLDERS,
    KEYS,
    MANIFEST,
    BackupError,
    Manifest,
    exchange,
    read_manifest,
)
from socialsite.clock import utc_now
from socialsite.data_keys import DataKey
from socialsite.engine import lock, process
from socialsite.engine.choice import PROGRAMS
from socialsite.private_files import FOLDER_MODE, make_private_folder, private_opener, strange_names

CHUNK = 1 << 20  # bytes
DATABASES = {program.database_name: program for program in PROGRAMS}


@dataclass(frozen=True)
class Restored:
    """The result of a restore: the backup's manifest, and the place of the old data."""

    manifest: Manifest
    before: Path


def restore_backup(
    file: Path | str, *, data_dir: Path, newest_version: int, given_keys: Collection[str]
) -> Restored:
    """Replaces the data folder with the backup in one step, and keeps the old one beside it. A file is a path, or an
    address of S3, which is read as it comes and never stored as a whole.

    Nothing changes unless the site is stopped, every hash is right, the database is whole, and its keys are known:
    `given_keys` are the ids of the keys from the environment, beside those in the backup. Raises `BackupError`.
    """
    data_dir = data_dir.resolve()
    with _stopped_site(data_dir), _draft_beside(data_dir) as draft:
        manifest = _extract(file, draft)
        _check_files(file, draft, manifest)
        _check_data(file, draft, manifest, newest_version, given_keys)
        _place_database(draft)
        before = data_dir.with_name(f"{data_dir.name}.before-{utc_now():%Y%m%d-%H%M%S}")
        os.sync()  # the new data must be on the disk
        exchange(data_dir, draft)
        draft.rename(before)
    _bring_along(before, data_dir)
    return Restored(manifest, before)


@contextmanager
def _stopped_site(data_dir: Path) -> Iterator[None]:
    """Holds the lock of the data folder, so that no engine starts on it meanwhile."""
    make_private_folder(data_dir)
    held = lock.try_lock(data_dir)
    if held is None:
        raise BackupError(f"The site is running on {data_dir}. Stop it, then try again.")
    try:
        left_behind = lock.read_state(data_dir)
        if left_behind:
            process.end_orphan(left_behind.engine_pid, data_dir)
            lock.remove_state(data_dir)
        yield
    finally:
        os.close(held)


@contextmanager
def _draft_beside(data_dir: Path) -> Iterator[Path]:
    draft = data_dir.with_name(f"{data_dir.name}.restoring-{os.getpid()}")
    try:
        draft.mkdir(mode=FOLDER_MODE)
    except OSError as error:
        raise BackupError(
            f"Nothing can be written beside {data_dir} ({error.strerror}). Give this user access to its folder."
        ) from error
    try:
        yield draft
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _extract(file: Path | str, draft: Path) -> Manifest:
    manifest = None
    try:
        with _opened(file) as stored, tarfile.open(fileobj=stored, mode="r|gz") as archive:
            for member in archive:
                content = archive.extractfile(member) if member.isreg() else None
                if content is None or not _belongs(member.name):
                    raise BackupError(f"it holds {member.name}, which no backup has")
                if member.name == MANIFEST:
                    manifest = read_manifest(content.read())
                    continue
                path = draft / member.name
                make_private_folder(path.parent)
                with open(path, "xb", opener=private_opener) as output:
                    shutil.copyfileobj(content, output, CHUNK)
    except FileNotFoundError as error:
        raise BackupError(f"{file} does not exist. Check the path.") from error
    except (BackupError, tarfile.TarError, OSError, EOFError, zlib.error) as error:
        raise _damaged(file, str(error)) from error
    if manifest is None:
        raise _damaged(file, "its manifest is missing")
    return manifest


def _opened(file: Path | str) -> AbstractContextManager[IO[bytes]]:
    return file.open("rb") if isinstance(file, Path) else bucket.opened(file)


def _belongs(name: str) -> bool:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        return False
    if len(path.parts) > 1:
        return path.parts[0] in FOLDERS
    return name in (*DATABASES, MANIFEST) or fnmatch(name, KEYS)


def _check_files(file: Path | str, draft: Path, manifest: Manifest) -> None:
    found = {
        path.relative_to(draft).as_posix(): _sha256(path)
        for path in draft.rglob("*")
        if path.is_file()
    }
    if found != manifest.files:
        wrong = sorted(
            name
            for name in {*found, *manifest.files}
            if found.get(name) != manifest.files.get(name)
        )
        raise _damaged(file, f"{wrong[0]} is not as it was saved")
    if len(found.keys() & DATABASES.keys()) != 1:
        raise _damaged(file, "it does not hold one database")
    (name,) = found.keys() & DATABASES.keys()
    try:
        with closing(sqlite3.connect(f"{(draft / name).as_uri()}?mode=ro", uri=True)) as db:
            state = db.execute("PRAGMA integrity_check").fetchone()[0]
    except sqlite3.Error as error:
        raise _damaged(file, str(error)) from error
    if state != "ok":
        raise _damaged(file, f"its database has a fault: {state}")


def _check_data(
    file: Path | str,
    draft: Path,
    manifest: Manifest,
    newest_version: int,
    given_keys: Collection[str],
) -> None:
    if manifest.data_version > newest_version:
        raise BackupError(
            f"{file} has data of version {manifest.data_version}, but this code knows version {newest_version}. "
            "Restore it with the newer code."
        )
    own_key = draft / "data_key.txt"
    missing = set(manifest.key_ids) - set(given_keys)
    if own_key.exists():
        missing.discard(DataKey(own_key.read_text()).id)
    if missing:
        raise BackupError(
            f"{file} needs the key {' and '.join(sorted(missing))}. "
            "Set DATA_KEY or DATA_KEY_FALLBACKS to it, then try again."
        )


def _place_database(draft: Path) -> None:
    """Puts the database where its program looks for it."""
    for name, program in DATABASES.items():
        if (draft / name).exists():
            (draft / name).rename(program.database(draft))


def _bring_along(before: Path, data_dir: Path) -> None:
    """Keeps backups, and files that do not belong to the site, in the data folder."""
    for name in {BACKUPS, *strange_names(before)}:
        if (before / name).exists() and not (data_dir / name).exists():
            (before / name).rename(data_dir / name)


def _sha256(path: Path) -> str:
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _damaged(file: Path | str, why: str) -> BackupError:
    return BackupError(
        f"{file} cannot be restored: {why}. Take another backup. Your data is unchanged."
    )

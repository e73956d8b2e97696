"""A data folder with a real database in it, as the tests of backup and restore use it."""

import sqlite3
from contextlib import closing
from pathlib import Path

from operations.backup.create import Manifest, create_backup
from socialsite.data_keys import DataKey
from socialsite.engine.dynoxide import database_path

KEY = "the-data-key-of-this-folder-that-is-long-enough"
PICTURE = "media/avatars/alice.webp"


def make_site(folder: Path, *, rows: int = 10) -> Path:
    """Makes a folder with everything that a site on one machine has."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with closing(sqlite3.connect(database_path(folder))) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("CREATE TABLE posts (number INTEGER)")
        database.executemany("INSERT INTO posts VALUES (?)", [(n,) for n in range(rows)])
        database.commit()
    write(folder, "data_key.txt", KEY)
    write(folder, "secret_key.txt", "secret")
    write(folder, PICTURE, "a picture of alice")
    write(folder, "archive/2026-11-21/shard-1.jsonl.gz", "an expired item")
    write(folder, "engine.log", "not part of a backup")
    return folder


def write(folder: Path, name: str, text: str) -> None:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def rows_of(folder: Path) -> int:
    with closing(sqlite3.connect(database_path(folder))) as database:
        return int(database.execute("SELECT COUNT(*) FROM posts").fetchone()[0])


def manifest(*, data_version: int = 1, key: str = KEY) -> Manifest:
    return Manifest("2026-11-21T10:00:00+00:00", "socialsite", data_version, [DataKey(key).id])


def back_up_to(target: Path, folder: Path, **changes: object) -> Path:
    create_backup(
        data_dir=folder,
        target=target,
        manifest=manifest(**changes),  # type: ignore[arg-type]
        on_bytes=lambda done, total: None,
    )
    return target

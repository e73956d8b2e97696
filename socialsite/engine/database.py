"""The engine's SQLite file, opened beside the running engine, and copies of it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from socialsite.engine.program import EngineError
from socialsite.private_files import FILE_MODE

# The engine waits for a lock without complaint; this side must not fail sooner than it would.
BUSY_SECONDS = 30


def open_for_writing(database: Path) -> closing[sqlite3.Connection]:
    """Open the live file for upkeep; each statement commits by itself, so locks stay short."""
    connection = sqlite3.connect(
        f"{database.as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None
    )
    # A commit here moves no log into the file: one process fewer to race with.
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    return closing(connection)


def open_for_reading(database: Path) -> closing[sqlite3.Connection]:
    """Open the live file so that nothing can be written through this connection."""
    return closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS))


def has_table(connection: sqlite3.Connection, table_name: str) -> bool:
    """Tell whether the DynamoDB table exists; every engine gives each its own SQLite table."""
    found = connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table_name,)
    )
    return found.fetchone() is not None


def back_up(source: Path, target: Path, *, at_moment: Callable[[], None] = lambda: None) -> int:
    """Copy the live database `source` to `target`, verify the copy, and return its size in bytes.

    The copy is one consistent moment: SQLite's own online backup reads a snapshot, and neither
    stops the engine nor sees half a transaction. `at_moment` is called when that moment is fixed, before the copying.
    """
    if not source.is_file():
        raise EngineError(
            f"There is no database in {source.parent} to back up: start the site once, or name the "
            f"folder that holds {source.name}."
        )
    if target.exists():
        raise EngineError(f"{target} already exists. Choose another name for the backup.")
    # Under another name until it is whole, so that no half copy is ever taken for a backup.
    draft = target.with_name(f"{target.name}.partial")
    try:
        _copy(source, draft, at_moment)
        draft.rename(target)
    except (sqlite3.Error, OSError) as error:
        raise EngineError(
            f"The backup to {target} failed ({error}): make sure that its folder exists, can be "
            "written and has room, then try again."
        ) from error
    finally:
        draft.unlink(missing_ok=True)
    return target.stat().st_size


def _copy(source: Path, draft: Path, at_moment: Callable[[], None]) -> None:
    draft.unlink(missing_ok=True)
    draft.touch(mode=FILE_MODE)
    with open_for_reading(source) as live, closing(sqlite3.connect(draft)) as copy:
        live.execute("BEGIN")
        live.execute("SELECT 1 FROM sqlite_master").fetchone()  # the first read fixes the snapshot
        at_moment()
        live.backup(copy)
        # Without a write-ahead log the copy is one file, complete by itself.
        copy.execute("PRAGMA journal_mode = DELETE")
        found = copy.execute("PRAGMA integrity_check").fetchall()
        if found != [("ok",)]:
            raise sqlite3.DatabaseError(f"the copy is damaged: {found[0][0]}")

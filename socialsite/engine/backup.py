"""How is the embedded engine's database copied while it runs? `operations/backup` makes a whole backup of it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from socialsite.engine.database import open_for_reading
from socialsite.engine.errors import EngineError
from socialsite.private_files import FILE_MODE


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

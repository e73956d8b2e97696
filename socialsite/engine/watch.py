"""Is the database file still the one that the engine opened, and whole?

SQLite goes on writing to a file that was deleted or replaced, so everything would be lost at the next start. So the
owner checks every few seconds, stops the engine if something is wrong, and never starts it on other data.
"""

import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path

from socialsite.engine.database import has_table, open_for_reading
from socialsite.engine.errors import EngineError

SQLITE_MAGIC = b"SQLite format 3\0"
TABLE_NOTE = "engine.table"  # this folder's database has held the table
LONGEST_SHARE = 0.1  # of a processor that may be spent on checking the whole file
FIX = "Stop the site and restore a backup with `manage.py restore FILE`, or put the files back."


@dataclass
class Watch:
    """What a process knows of the database file since it began to use it."""

    data_dir: Path
    database: Path
    identity: tuple[int, int] = (0, 0)
    _checked: tuple[int, int] = (0, 0)  # time of change and size when the whole file was checked
    _check_again: float = field(default=0.0, repr=False)

    def begin(self) -> None:
        """Notes the file as it is now as the right one."""
        found = self.database.stat()
        self.identity = found.st_dev, found.st_ino

    def look(self) -> str:
        """Returns what is wrong with the file itself, empty if nothing is. Costs microseconds.

        It names no folder, as `/readyz` tells it to everyone.
        """
        try:
            found = self.database.stat()
            with self.database.open("rb") as file:
                magic = file.read(len(SQLITE_MAGIC))
        except OSError:
            return f"The database {self.database.name} is gone while the site runs. {FIX}"
        if (found.st_dev, found.st_ino) != self.identity:
            return f"The database {self.database.name} was replaced while the site runs. {FIX}"
        if magic != SQLITE_MAGIC:
            return f"The database {self.database.name} was emptied or overwritten. {FIX}"
        return ""

    def look_closely(self) -> str:
        """Does the same, and checks the whole file if it changed, with at most a tenth of a processor.

        The time of the processor counts: on a busy machine a check takes long, but costs no more.
        """
        problem = self.look()
        if problem or time.monotonic() < self._check_again:
            return problem
        found = self.database.stat()
        if (found.st_mtime_ns, found.st_size) == self._checked:
            return ""
        began = time.thread_time()
        damage = find_damage(self.database)
        self._check_again = time.monotonic() + (time.thread_time() - began) / LONGEST_SHARE
        if damage is not None:
            self._checked = found.st_mtime_ns, found.st_size
        return damage or ""


def find_damage(database: Path) -> str | None:
    """Checks every page of the file (SQLite's `quick_check`) and returns a sentence, empty if all is well.

    None if another connection held the file, so that nothing was checked.
    """
    try:
        with open_for_reading(database) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "locked" in str(error) or "busy" in str(error):
            return None
        found = str(error)
    except sqlite3.DatabaseError as error:
        found = str(error)
    return "" if found == "ok" else f"The database {database.name} is damaged ({found}). {FIX}"


def refuse_lost_data(data_dir: Path, database: Path, table_name: str) -> None:
    """Raises `EngineError` if the folder once held the table and its database is gone or empty now.

    Without this the next start would take the folder for new, and fill it with demo data.
    """
    if not (data_dir / TABLE_NOTE).exists():
        return
    if not database.is_file() or not database.stat().st_size or not _holds(database, table_name):
        raise EngineError(
            f"The database {database} is gone or empty, but {data_dir} was in use: restore a "
            f"backup with `manage.py restore FILE`, or delete {data_dir} to begin with a new site."
        )


def note_table(data_dir: Path, database: Path, table_name: str) -> None:
    """Notes that the database holds the table now; does nothing before that, and nothing twice."""
    note = data_dir / TABLE_NOTE
    if not note.exists() and _holds(database, table_name):
        note.touch(mode=0o600)


def _holds(database: Path, table_name: str) -> bool:
    try:
        with open_for_reading(database) as connection:
            return has_table(connection, table_name)
    except sqlite3.DatabaseError:
        return True  # damaged rather than empty, which the engine or the check will say

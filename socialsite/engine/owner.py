"""What the owner of an engine does: start it, keep it healthy, see that its file is whole, end it at exit."""

import atexit
import logging
import os
import shutil
import sqlite3
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from socialsite.engine import lock, process
from socialsite.engine.database import has_table, open_for_reading
from socialsite.engine.program import EngineError, Program, Task, Upkeep

# Is the database file still the one that the engine opened, and whole?
#
# SQLite goes on writing to a file that was deleted or replaced, so everything would be lost at the next start.
# So the owner checks every few seconds, stops the engine if something is wrong, and never starts it on other
# data.

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


log = logging.getLogger("socialsite.engine")

REVIVE_SECONDS = 1
WATCH_SECONDS = 1


class Owner:
    """The holder of a data folder's lock, and its engine."""

    def __init__(
        self,
        program: Program,
        project: Path,
        data_dir: Path,
        table_name: str,
        lock_descriptor: int,
    ) -> None:
        self._program = program
        self._project = project
        self._data_dir = data_dir
        self._table_name = table_name
        self._lock_descriptor = lock_descriptor
        self._pid = os.getpid()
        self._problem = ""
        self._database = program.database(data_dir)
        self.watch = Watch(data_dir, self._database)

    def start(self) -> str:
        """Starts the engine and its upkeep; returns the engine's address."""
        self._upkeep = Upkeep(
            self._begin,
            [
                Task(self._watch_data, every=WATCH_SECONDS),
                Task(self._revive_engine, every=REVIVE_SECONDS),
                Task(self._note_table, every=REVIVE_SECONDS),
                *self._program.upkeep(self._database, lambda: self._engine.url, self._table_name),
            ],
        )
        self._upkeep.start_and_wait()
        atexit.register(self.stop)
        return self._engine.url

    def _begin(self) -> None:
        at = self._end_orphan()
        refuse_lost_data(self._data_dir, self._database, self._table_name)
        if problem := self._find_no_room():
            raise EngineError(problem)
        self._launch(at)
        try:
            if damage := find_damage(self._database):
                raise EngineError(damage)
            self._program.complete(self._database)
            self.watch.begin()
            self._publish()
        except BaseException:
            process.stop(self._engine)
            lock.remove_state(self._data_dir)
            raise

    def _end_orphan(self) -> str | None:
        """Ends the engine that a dead owner left running. Returns its address if others are attached to it."""
        left_behind = lock.read_state(self._data_dir)
        if left_behind is None:
            return None
        process.end_orphan(left_behind.engine_pid, self._data_dir)
        if lock.has_guests(self._data_dir):
            return left_behind.url
        lock.remove_state(self._data_dir)
        return None

    def _launch(self, at: str | None) -> None:
        self._engine = process.start(
            self._program, self._project, self._data_dir, at=at, die_with_starter=True
        )

    def _publish(self) -> None:
        pid = self._engine.process.pid
        self._state = lock.State(url=self._engine.url, engine_pid=pid, owner_pid=self._pid)
        lock.write_state(self._data_dir, self._state)

    def _note_table(self) -> None:
        if not self.watch.look():
            note_table(self._data_dir, self._database, self._table_name)

    def _watch_data(self) -> None:
        self._problem = self.watch.look_closely() or self._find_no_room()
        if self._problem:
            log.critical("%s (in %s)", self._problem, self._data_dir)
            # Killed and not asked to end: closing its file, it would delete the new one's log.
            self._engine.process.kill()
            with suppress(OSError):  # the folder may be gone as well
                lock.write_state(self._data_dir, replace(self._state, problem=self._problem))
            self._upkeep.halt()

    def _find_no_room(self) -> str:
        """Returns a sentence if the disk is so full that this engine would lose what it acknowledged."""
        least = self._program.least_free_bytes
        if not least or shutil.disk_usage(self._data_dir).free >= least:
            return ""
        return (
            f"The disk of the data folder has less than {least // 1_000_000} MB left, and "
            f"{self._program.name} would lose data on a full one. Make room, then start the site again."
        )

    def _revive_engine(self) -> None:
        status = self._engine.process.poll()
        if status is None or self.watch.look():
            return
        log.warning("The DynamoDB engine ended with status %s; starting it again.", status)
        # The same address: attached processes notice no more than a short refusal.
        self._launch(self._engine.url)
        self._publish()

    def stop(self) -> None:
        """Ends upkeep and engine, once, and only in the process that started them."""
        atexit.unregister(self.stop)
        if os.getpid() != self._pid:
            return
        self._upkeep.stop()
        process.stop(self._engine)
        # Attached processes need the address: one of them takes over there.
        with suppress(OSError):
            if self._problem or not lock.has_guests(self._data_dir):
                lock.remove_state(self._data_dir)
        self.release_lock()

    def release_lock(self) -> None:
        """Closes the lock's file; the lock itself falls when no process has it open."""
        os.close(self._lock_descriptor)

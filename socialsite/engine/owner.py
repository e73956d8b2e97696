"""What does the process that owns the engine do? Start it, keep it healthy, end it at exit."""

import atexit
import logging
import os
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from socialsite.engine import lock, process
from socialsite.engine.errors import EngineError
from socialsite.engine.program import Program
from socialsite.engine.upkeep import Task, Upkeep
from socialsite.engine.watch import Watch, find_damage, note_table, refuse_lost_data

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

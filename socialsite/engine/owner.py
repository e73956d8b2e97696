"""What does the process that owns the engine do? Start it, keep it healthy, end it at exit."""

import atexit
import logging
import os
import threading
from pathlib import Path

from socialsite.engine import lock, process
from socialsite.engine.database import database_path
from socialsite.engine.expired_items import sweep_expired_items
from socialsite.engine.stream_records import index_stream, trim_stream
from socialsite.engine.upkeep import Task, Upkeep

log = logging.getLogger("socialsite.engine")

REVIVE_SECONDS = 1
SWEEP_SECONDS = 30
TRIM_SECONDS = 3600


class Owner:
    """The holder of a data folder's lock, and its engine."""

    def __init__(self, binary: Path, data_dir: Path, table_name: str, lock_descriptor: int) -> None:
        self._binary = binary
        self._data_dir = data_dir
        self._table_name = table_name
        self._lock_descriptor = lock_descriptor
        self._pid = os.getpid()

    def start(self) -> str:
        """Start the engine and its upkeep; return the engine's address."""
        self._end_orphan()
        self._launch(at=None, lasting=threading.current_thread() is threading.main_thread())
        database = database_path(self._data_dir)
        try:
            self._publish()
            index_stream(database)
        except BaseException:
            process.stop(self._engine)
            lock.remove_state(self._data_dir)
            raise
        self._upkeep = Upkeep(
            [
                Task(self._revive_engine, every=REVIVE_SECONDS),
                Task(lambda: trim_stream(database), every=TRIM_SECONDS),
                Task(
                    lambda: sweep_expired_items(database, self._engine.url, self._table_name),
                    every=SWEEP_SECONDS,
                ),
            ]
        )
        self._upkeep.start()
        atexit.register(self.stop)
        return self._engine.url

    def _end_orphan(self) -> None:
        left_behind = lock.read_state(self._data_dir)
        if left_behind:
            process.end_orphan(left_behind.engine_pid, self._data_dir)
            lock.remove_state(self._data_dir)

    def _launch(self, at: str | None, *, lasting: bool) -> None:
        # Only with a thread that lasts: Linux would end the engine with a short-lived one.
        self._engine = process.start(self._binary, self._data_dir, at=at, die_with_starter=lasting)

    def _publish(self) -> None:
        lock.write_state(
            self._data_dir,
            lock.State(
                url=self._engine.url, engine_pid=self._engine.process.pid, owner_pid=self._pid
            ),
        )

    def _revive_engine(self) -> None:
        status = self._engine.process.poll()
        if status is None:
            return
        log.warning("The DynamoDB engine ended with status %s; starting it again.", status)
        # The same address: whoever is attached goes on without noticing more than a short refusal.
        self._launch(self._engine.url, lasting=True)
        self._publish()

    def stop(self) -> None:
        """End upkeep and engine, once, and only in the process that started them."""
        atexit.unregister(self.stop)
        if os.getpid() != self._pid:
            return
        self._upkeep.stop()
        process.stop(self._engine)
        lock.remove_state(self._data_dir)
        self.release_lock()

    def release_lock(self) -> None:
        """Close the lock's file; the lock itself falls when no process has it open."""
        os.close(self._lock_descriptor)

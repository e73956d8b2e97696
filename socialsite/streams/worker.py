"""The stream worker: takes leases, reads records, runs handlers, commits.

`runserver` runs it as a thread, `manage.py run_worker` alone, tests step it by hand with `drain`.
"""

import logging
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from socialsite.streams.change import read_change
from socialsite.streams.dispatch import dispatch, load_handlers
from socialsite.streams.lease import HeldLease, LeaseWatch, NotOurs, is_done, new_worker_id
from socialsite.streams.ledger import LeaseLost, Ledger
from socialsite.streams.source import Shard, StaleIterator, Stream
from socialsite.table.errors import TableError

POLL_EVERY = 0.25  # seconds
DISCOVER_EVERY = 10.0
COMMIT_AFTER_SKIPPED = 10_000  # records without effects

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Reader:
    """Where this worker stands in a shard that it holds."""

    lease: HeldLease
    iterator: str | None
    position: str  # last record seen; the lease's checkpoint is the last one committed
    skipped: int = 0


@dataclass
class Worker:
    worker_id: str = field(default_factory=new_worker_id)
    stream: Stream = field(default_factory=Stream)
    readers: dict[str, Reader] = field(default_factory=dict)
    watches: dict[str, LeaseWatch] = field(default_factory=dict)
    shards: list[Shard] = field(default_factory=list)
    discovered_at: float | None = None

    def __post_init__(self) -> None:
        load_handlers()

    def run(self, stop: threading.Event) -> None:
        """Works until told to stop, then gives its leases up. Survives faults of the engine."""
        try:
            while not stop.is_set():
                try:
                    busy = self.step()
                except TableError as error:
                    log.warning("the worker waits for the engine: %s", error)
                    self._forget()
                    busy = False
                if not busy:
                    stop.wait(POLL_EVERY)
        finally:
            self.give_up()

    def step(self) -> bool:
        """Reads every shard that can be read once; says whether there was anything."""
        self.discover()
        busy = False
        for shard in self.shards:
            if reader := self.reader(shard):
                busy = self._read_shard(reader) or busy
        return busy

    def drain(self) -> None:
        """Steps until nothing is left, as a test does between a write and a look."""
        while self.step():
            pass

    def give_up(self) -> None:
        for reader in self.readers.values():
            try:
                reader.lease.give_up()
            except TableError as error:
                log.info("could not give up %s: %s", reader.lease.shard_id, error)
        self._forget()

    def _forget(self) -> None:
        self.readers.clear()
        self.discovered_at = None

    def discover(self) -> None:
        now = time.monotonic()
        if self.discovered_at is None or now - self.discovered_at > DISCOVER_EVERY:
            self.shards = self.stream.shards()
            self.discovered_at = now

    def reader(self, shard: Shard) -> Reader | None:
        if shard.shard_id in self.readers or not self._parent_is_done(shard):
            return self.readers.get(shard.shard_id)
        watch = self.watches.setdefault(shard.shard_id, LeaseWatch(shard.shard_id, self.worker_id))
        lease = watch.try_take()
        if lease is None:
            return None
        reader = Reader(lease, None, lease.checkpoint)
        self.readers[shard.shard_id] = reader
        return reader

    def _parent_is_done(self, shard: Shard) -> bool:
        known = {other.shard_id for other in self.shards}
        return shard.parent_id is None or shard.parent_id not in known or is_done(shard.parent_id)

    def _read_shard(self, reader: Reader) -> bool:
        shard_id = reader.lease.shard_id
        try:
            reader.lease.keep()
            if reader.iterator is None:
                reader.iterator = self.stream.iterator(shard_id, reader.position)
            records, following = self.stream.read(reader.iterator)
            self._apply(reader, records)
        except StaleIterator:
            reader.iterator = None
            return True
        except (LeaseLost, NotOurs):
            log.info("lost the lease of %s", shard_id)
            del self.readers[shard_id]
            return False
        if following is None:
            self._finish(reader)
        reader.iterator = following
        return bool(records)

    def _apply(self, reader: Reader, records: list[dict[str, Any]]) -> None:
        ledger = Ledger()
        for record in records:
            change = read_change(record)
            if change is not None:
                dispatch(change, ledger)
            reader.position = record["dynamodb"]["SequenceNumber"]
            reader.skipped += 1
            if ledger.is_full:
                self.commit(reader, ledger)
                ledger = Ledger()
            reader.lease.keep()
        if ledger.had_effects or reader.skipped > COMMIT_AFTER_SKIPPED:
            self.commit(reader, ledger)

    def commit(self, reader: Reader, ledger: Ledger) -> None:
        lease = reader.lease
        ledger.commit(
            shard_id=lease.shard_id,
            epoch=lease.epoch,
            before=lease.checkpoint,
            checkpoint=reader.position,
        )
        lease.checkpoint = reader.position
        reader.skipped = 0

    def _finish(self, reader: Reader) -> None:
        if reader.position != reader.lease.checkpoint:
            self.commit(reader, Ledger())
        reader.lease.finish()
        del self.readers[reader.lease.shard_id]


def start_in_thread() -> tuple[threading.Thread, threading.Event]:
    """Runs a worker beside a web server; set the event and join the thread to stop it."""
    stop = threading.Event()
    thread = threading.Thread(
        target=Worker().run, args=(stop,), name=f"worker {settings.DYNAMODB_TABLE}", daemon=True
    )
    thread.start()
    return thread, stop

"""The worker: it takes a lease, reads records, applies a batch and commits it; and loading much at once without it."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.conf import settings

from socialsite.due.clock import start_clock
from socialsite.news import send_rest
from socialsite.observing import metrics
from socialsite.site_settings.read_only import stands_still
from socialsite.streams.archive import archive_records
from socialsite.streams.change import age_of, dead_letter_of
from socialsite.streams.dispatch import PoisonRecord, dispatch_record, is_handled, load_handlers
from socialsite.streams.hosts import Host, claim_stream
from socialsite.streams.late_writes import (
    SETTLE_EVERY,
    in_hand_since,
    settle_since,
    settle_suspects,
)
from socialsite.streams.leases import LeaseWatch, NotOurs, acquit, new_worker_id
from socialsite.streams.ledger import LeaseLost, Ledger
from socialsite.streams.shards import (
    RECORDS_A_READ,
    Lineage,
    Reader,
    Shard,
    StaleIterator,
    Stream,
    TrimmedData,
    look_for_gap,
    note_gap,
)
from socialsite.streams.traces import are_kept, begin_trace
from socialsite.table import WORKER, Conflict, TableError, spent_by
from socialsite.table.actions import fenced

log = logging.getLogger(__name__)
batches = logging.getLogger("worker")


def apply_batch(reader: Reader, records: list[dict[str, Any]]) -> None:
    """Applies records, and commits if there is something to commit. Raises `LeaseLost`, `NotOurs`."""
    began = time.monotonic()
    reader.lease.lag = age_of(records[-1]) if records else 0
    reader.applying_since = in_hand_since(records) if records else None
    ledger = Ledger()
    if archive_records(records, shard_id=reader.shard_id):
        ledger.note_effect()
    for record in records:
        if _is_before(record, reader.position):  # the stream delivered it again
            continue
        _apply_record(reader, record, ledger)
        reader.position = record["dynamodb"]["SequenceNumber"]
        reader.skipped += 1
        if ledger.is_full:
            reader.commit(ledger)
            ledger = Ledger()
        reader.lease.keep()
    if ledger.had_effects or reader.is_due:
        reader.commit(ledger)
    reader.applying_since = None
    metrics.RECORDS.inc(len(records))
    if ledger.had_effects:
        _note_batch(reader, len(records), time.monotonic() - began)


def _apply_record(reader: Reader, record: dict[str, Any], ledger: Ledger) -> None:
    trace = begin_trace(record, reader.lease) if are_kept() and is_handled(record) else None
    try:
        with fenced(reader.lease.fence()):
            dispatch_record(record, ledger, trace)
    except PoisonRecord as error:
        metrics.PARKED.inc()
        log.exception("parked a record of %s", reader.shard_id)
        ledger.create(dead_letter_of(record, shard_id=reader.shard_id, error=error))
        if trace:
            trace.parked = str(error)
    if trace:
        trace.is_handled = True


def _is_before(record: dict[str, Any], position: str) -> bool:
    return bool(position) and int(record["dynamodb"]["SequenceNumber"]) <= int(position)


def _note_batch(reader: Reader, records: int, seconds: float) -> None:
    metrics.BATCHES.inc()
    fields = {
        "shard": reader.shard_id,
        "records": records,
        "ms": round(seconds * 1000, 1),
        "lag": reader.lease.lag,
    }
    batches.info("applied", extra={"fields": fields})


# The stream worker: takes leases, reads records, runs handlers, commits.
#
# `runserver` runs it as a thread, `manage.py run_worker` alone, tests step it by hand with `drain`.

# Seconds. A counter is written at most this often, however fast it changes.
POLL_EVERY = 0.25
DISCOVER_EVERY = 10.0
SHARDS_AT_ONCE = 8
FAULT_PAUSE = 1.0


@dataclass
class Worker:
    worker_id: str = field(default_factory=new_worker_id)
    host: Host = Host.WORKER  # it works in Lambda's name only during a hand-over
    stream: Stream = field(default_factory=Stream)
    readers: dict[str, Reader] = field(default_factory=dict)
    watches: dict[str, LeaseWatch] = field(default_factory=dict)
    lineage: Lineage = field(default_factory=Lineage)
    discovered_at: float | None = None
    doubts: dict[str, datetime | None] = field(default_factory=dict)

    @property
    def shards(self) -> list[Shard]:
        return self.lineage.shards

    def __post_init__(self) -> None:
        load_handlers()

    def run(self, stop: threading.Event) -> None:
        """Works until told to stop, then gives up its leases. Survives faults of the engine. While the site is only
        read it writes nothing, and has given up its leases before."""
        try:
            while not stop.is_set():
                if stands_still():
                    self._rest(stop)
                elif self._try_step() < RECORDS_A_READ:
                    stop.wait(POLL_EVERY)
        finally:
            self.give_up()

    @spent_by(WORKER, "socialsite:read_stream")
    def step(self) -> int:
        """Reads every readable shard once. Returns the largest number of records in one shard."""
        send_rest()
        self._own_up()
        self.discover()
        readers = [reader for shard in self.shards if (reader := self.reader(shard))]
        if len(readers) < 2:
            return max(map(self._read_shard, readers), default=0)
        with ThreadPoolExecutor(min(len(readers), SHARDS_AT_ONCE)) as pool:
            contexts = [copy_context() for _ in readers]
            return max(pool.map(lambda c, one: c.run(self._read_shard, one), contexts, readers))

    def drain(self) -> None:
        """Steps until nothing is left, for example in a test between a write and a check."""
        empty = 0
        while empty < self.stream.empty_answers:
            empty = 0 if self.step() else empty + 1

    def give_up(self) -> None:
        try:
            self._own_up()
        except TableError as error:
            log.info("could not tell what may have been written late: %s", error)
        for reader in self.readers.values():
            try:
                reader.lease.give_up()
            except TableError as error:
                log.info("could not give up %s: %s", reader.shard_id, error)
        self._forget()

    def discover(self) -> None:
        now = time.monotonic()
        if self.discovered_at is None or now - self.discovered_at > DISCOVER_EVERY:
            claim_stream(self.host)
            self.lineage.list(self.stream.shards())
            self.discovered_at = now

    def reader(self, shard: Shard) -> Reader | None:
        """Returns the reader of a shard if this worker holds or can take its lease, otherwise None."""
        if shard.shard_id in self.readers:
            return self.readers[shard.shard_id]
        if shard.shard_id in self.lineage.done or not self.lineage.may_begin(shard):
            return None
        watch = self.watches.setdefault(shard.shard_id, LeaseWatch(shard.shard_id, self.worker_id))
        lease = watch.try_take()
        if lease is None:
            if watch.is_done:
                self.lineage.done.add(shard.shard_id)
                del self.watches[shard.shard_id]
            return None
        log.info("took the lease of %s in epoch %d", shard.shard_id, lease.epoch)
        reader = Reader(lease, None, lease.checkpoint)
        self.readers[shard.shard_id] = reader
        return reader

    def is_held_elsewhere(self, shard: Shard) -> bool:
        """Whether another worker has a shard that could be read now: it is not done, and waits for no parent."""
        if shard.shard_id in self.readers or not self.lineage.may_begin(shard):
            return False
        return not self.lineage.is_done(shard.shard_id)

    def _rest(self, stop: threading.Event) -> None:
        if self.readers:
            self.give_up()
        stop.wait(FAULT_PAUSE)

    def _try_step(self) -> int:
        try:
            return self.step()
        except TableError as error:
            log.warning("the worker waits for the engine: %s", error)
        except Exception:
            log.exception("the worker starts over")
        self._forget()
        time.sleep(FAULT_PAUSE)
        return 0

    def _forget(self) -> None:
        # Uncommitted records are read again, from each lease's checkpoint.
        for reader in self.readers.values():
            if reader.applying_since:
                self._doubt(reader)
        self.readers.clear()
        self.discovered_at = None

    def _doubt(self, reader: Reader) -> None:
        """Notes that a write of this worker may have come late or still come, because its answer or the lease was
        lost."""
        self.doubts[reader.shard_id] = reader.applying_since

    def _own_up(self) -> None:
        """Starts settling what this worker may have written late, before it does anything else."""
        for shard_id, since in list(self.doubts.items()):
            if since:
                log.info("settling what this worker may have written late in %s", shard_id)
                settle_since(since)
            acquit(shard_id, {self.worker_id})
            del self.doubts[shard_id]

    def _read_shard(self, reader: Reader) -> int:
        shard_id = reader.shard_id
        try:
            reader.lease.keep()
            self._settle_suspects(reader)
            records, following = self._read(reader)
            apply_batch(reader, records)
        except (StaleIterator, TrimmedData):
            reader.iterator = None
            return 0
        except (LeaseLost, NotOurs):
            log.info("lost the lease of %s", shard_id)
            self._doubt(reader)
            del self.readers[shard_id]
            return 0
        reader.iterator = following
        if following is None:
            self.finish(reader)
        return len(records)

    def _read(self, reader: Reader) -> tuple[list[dict[str, Any]], str | None]:
        shard_id = reader.shard_id
        if reader.iterator is None:
            if reader.position == reader.lease.checkpoint:
                look_for_gap(self.stream, reader.lease, self.lineage.lost_parent(shard_id))
            try:
                reader.iterator = self.stream.iterator(shard_id, reader.position)
            except TrimmedData:
                note_gap(reader.lease)
                reader.iterator = self.stream.iterator(shard_id, "")
        return self.stream.read(reader.iterator)

    def _settle_suspects(self, reader: Reader) -> None:
        if reader.lease.is_suspicious and time.monotonic() - reader.settled_at > SETTLE_EVERY:
            reader.settled_at = time.monotonic()
            settle_suspects(reader.lease)

    def finish(self, reader: Reader) -> None:
        """Commits the end of a closed shard, so that its children can begin."""
        if reader.position != reader.lease.checkpoint:
            reader.commit(Ledger())
        reader.lease.finish()
        self.lineage.done.add(reader.shard_id)
        del self.readers[reader.shard_id]


def start_in_thread() -> tuple[threading.Thread, threading.Event]:
    """Runs a worker and its clock beside a web server. To stop them, set the event and join the thread."""
    stop = threading.Event()
    start_clock(stop)
    thread = threading.Thread(
        target=Worker().run, args=(stop,), name=f"worker {settings.DYNAMODB_TABLE}", daemon=True
    )
    thread.start()
    return thread, stop


LOOK_EVERY = 0.5  # seconds


class StreamInUse(Conflict):
    """A worker holds the stream."""


@contextmanager
def hold_stream(host: Host = Host.WORKER, *, patience: float = 0) -> Iterator[Worker]:
    """Yields a worker that holds every shard, and gives them up in the end.

    Raises `WorksElsewhere`, and `StreamInUse` after `patience` seconds.
    """
    worker = Worker(host=host)
    until = time.monotonic() + patience
    try:
        while not _take_all(worker):
            if time.monotonic() > until:
                raise StreamInUse(
                    "A stream worker is running. Stop it, or the site that runs it, then try again."
                )
            time.sleep(LOOK_EVERY)
        yield worker
    finally:
        worker.give_up()


def _take_all(worker: Worker) -> bool:
    worker.discover()
    for shard in worker.shards:
        worker.reader(shard)
    return bool(worker.readers) and not any(map(worker.is_held_elsewhere, worker.shards))


@contextmanager
def bulk_load(
    *, patience: float = 0, when_done: Callable[[], None] = lambda: None
) -> Iterator[Callable[[], None]]:
    """Holds the stream during a load, then moves every checkpoint behind it: the handlers never see its records.

    Yields a function to call now and then, which keeps the leases. `when_done` is called before they are given up.
    Raises `StreamInUse`.
    """
    with hold_stream(patience=patience) as worker:
        held = list(worker.readers.values())

        def keep() -> None:
            for reader in held:
                reader.lease.keep()

        yield keep
        for reader in held:
            _skip_to_end(worker, reader)
        when_done()


def _skip_to_end(worker: Worker, reader: Reader) -> None:
    for record in worker.stream.records_behind(reader.shard_id, reader.position):
        reader.position = record["dynamodb"]["SequenceNumber"]
        reader.lease.keep()
    reader.commit(Ledger())

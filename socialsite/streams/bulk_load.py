"""Holds the whole stream, for loads that write every effect themselves, and for recounting."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from socialsite.streams.leases.host import Host
from socialsite.streams.ledger import Ledger
from socialsite.streams.shards.reader import Reader
from socialsite.streams.worker import Worker
from socialsite.table.errors import Conflict

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

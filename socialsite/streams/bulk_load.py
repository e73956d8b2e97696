"""Holding the whole stream: for loads that write every effect themselves, and for counting anew."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from socialsite.streams.host import Host
from socialsite.streams.ledger import Ledger
from socialsite.streams.reader import Reader
from socialsite.streams.worker import Worker
from socialsite.table.errors import Conflict


class StreamInUse(Conflict):
    """A worker holds the stream."""


@contextmanager
def hold_stream(host: Host = Host.WORKER) -> Iterator[Worker]:
    """A worker that holds every shard, and gives them up in the end. Raises `StreamInUse`, `WorksElsewhere`."""
    worker = Worker(host=host)
    try:
        worker.discover()
        for shard in worker.shards:
            worker.reader(shard)
        if not worker.readers or any(worker.is_held_elsewhere(shard) for shard in worker.shards):
            raise StreamInUse("A stream worker is running: stop it first.")
        yield worker
    finally:
        worker.give_up()


@contextmanager
def bulk_load() -> Iterator[Callable[[], None]]:
    """Holds the stream during a load, then moves every checkpoint behind it: the handlers never see its records.

    Yields a function to call now and then, which keeps the leases. Raises `StreamInUse`.
    """
    with hold_stream() as worker:
        held = list(worker.readers.values())

        def keep() -> None:
            for reader in held:
                reader.lease.keep()

        yield keep
        for reader in held:
            _skip_to_end(worker, reader)


def _skip_to_end(worker: Worker, reader: Reader) -> None:
    for record in worker.stream.records_behind(reader.shard_id, reader.position):
        reader.position = record["dynamodb"]["SequenceNumber"]
        reader.lease.keep()
    reader.commit(Ledger())

"""Loading much at once: the load writes every effect itself, and the handlers never see its records."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from socialsite.streams.ledger import Ledger
from socialsite.streams.worker import Reader, Worker
from socialsite.table.errors import Conflict


class StreamInUse(Conflict):
    """A worker holds the stream; a load beside it would be counted twice."""


@contextmanager
def bulk_load() -> Iterator[Callable[[], None]]:
    """Holds the whole stream during a load, then moves every checkpoint behind it.

    Yields a function to call now and then, which keeps the leases. Raises `StreamInUse`.
    """
    worker = Worker()
    worker.discover()
    readers = [worker.reader(shard) for shard in worker.shards]
    held = [reader for reader in readers if reader is not None]
    if len(held) < len(readers):
        worker.give_up()
        raise StreamInUse("A stream worker is running: stop it first.")

    def keep() -> None:
        for reader in held:
            reader.lease.keep()

    try:
        yield keep
        for reader in held:
            _skip_to_end(worker, reader)
    finally:
        worker.give_up()


def _skip_to_end(worker: Worker, reader: Reader) -> None:
    iterator: str | None = worker.stream.iterator(reader.lease.shard_id, reader.position)
    while iterator:
        records, iterator = worker.stream.read(iterator)
        if not records:
            break
        reader.position = records[-1]["dynamodb"]["SequenceNumber"]
        reader.lease.keep()
    worker.commit(reader, Ledger())

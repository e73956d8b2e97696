"""Finds what the workers have not committed yet: the part of the stream after all checkpoints."""

from collections.abc import Iterator
from functools import lru_cache

from socialsite.models import Lease
from socialsite.streams.change import Change, read_change, type_of
from socialsite.streams.shards.source import Stream
from socialsite.table import keys
from socialsite.table.connection import table_name
from socialsite.table.item import Item
from socialsite.table.reading import as_model, fetch


class Unapplied:
    """The changes after the checkpoints at the time it was created. Reads leases consistently, 1 read unit a shard."""

    def __init__(self) -> None:
        self.stream = _stream(table_name())
        self.checkpoints = self._read_checkpoints()

    def changes(self, model: type[Item]) -> Iterator[Change]:
        """Yields all changes of items of this type that no counter includes yet."""
        for shard_id, checkpoint in self.checkpoints.items():
            for record in self.stream.records_behind(shard_id, checkpoint):
                if type_of(record) == model.__name__ and (change := read_change(record)):
                    yield change

    def still_holds(self) -> bool:
        """Whether no worker has committed anything since."""
        return self._read_checkpoints() == self.checkpoints

    def _read_checkpoints(self) -> dict[str, str]:
        """Returns the checkpoint of every shard that is not read to its end, empty if nobody has committed yet."""
        shard_ids = [shard.shard_id for shard in self.stream.shards()]
        found = fetch(map(keys.lease, shard_ids), consistent=True)
        leases = {key: as_model(Lease, raw) for key, raw in found.items()}
        places = {one: leases.get(keys.lease(one)) for one in shard_ids}
        return {
            one: lease.checkpoint if lease else ""
            for one, lease in places.items()
            if lease is None or not lease.is_done
        }


@lru_cache(2)
def _stream(table: str) -> Stream:
    return Stream()

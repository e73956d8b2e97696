"""A stream that does what no local engine does: splits and merges shards, trims, lets iterators expire, repeats.

It stands where `socialsite.streams.shards.Stream` does. Its records are the real ones of the table, dealt to
shards by the test.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from socialsite.streams.change import type_of
from socialsite.streams.models import Lease
from socialsite.streams.shards import Shard, StaleIterator, Stream, TrimmedData

Record = dict[str, Any]


@dataclass
class FakeShard:
    shard_id: str
    parent_id: str | None = None
    records: list[Record] = field(default_factory=list)
    trimmed: int = 0  # how many of the first are forgotten
    is_closed: bool = False
    is_listed: bool = True


@dataclass
class FakeStream(Stream):
    """`route` says which open shard takes a record."""

    route: Callable[[Record], str]
    shards_by_id: dict[str, FakeShard] = field(default_factory=dict)
    real: Stream = field(default_factory=Stream)
    read_log: list[str] = field(default_factory=list)
    expire_next: int = 0
    most_a_read: Callable[[], int] = lambda: 1000
    _iterator: str | None = None

    def open(self, shard_id: str, parent_id: str | None = None) -> FakeShard:
        shard = FakeShard(shard_id, parent_id)
        self.shards_by_id[shard_id] = shard
        return shard

    def close(self, *shard_ids: str) -> None:
        for shard_id in shard_ids:
            self.shards_by_id[shard_id].is_closed = True

    def trim(self, shard_id: str) -> None:
        """Forgets everything that a shard holds now."""
        shard = self.shards_by_id[shard_id]
        shard.trimmed = len(shard.records)

    def pump(self) -> int:
        """Takes over what the table's own stream holds by now; says how many records.

        Leases are left out: a worker that stops and starts would make them for ever.
        """
        if self._iterator is None:
            self._iterator = self.real.iterator(self.real.shards()[0].shard_id, "")
        taken = 0
        while self._iterator:
            records, self._iterator = self.real.read(self._iterator)
            others = [record for record in records if type_of(record) != Lease.__name__]
            for record in others:
                self.shards_by_id[self.route(record)].records.append(record)
            taken += len(others)
            if not records:
                break
        return taken

    # What the worker calls

    def shards(self) -> list[Shard]:
        return [
            Shard(shard.shard_id, shard.parent_id)
            for shard in self.shards_by_id.values()
            if shard.is_listed
        ]

    def iterator(self, shard_id: str, after: str) -> str:
        shard = self.shards_by_id[shard_id]
        if not after:
            return f"{shard_id}|{shard.trimmed}"
        place = [record["dynamodb"]["SequenceNumber"] for record in shard.records].index(after) + 1
        if place < shard.trimmed:
            raise TrimmedData(shard_id)
        return f"{shard_id}|{place}"

    def read(self, iterator: str) -> tuple[list[Record], str | None]:
        shard_id, _, place = iterator.partition("|")
        if self.expire_next:
            self.expire_next -= 1
            raise StaleIterator(iterator)
        shard, start = self.shards_by_id[shard_id], int(place)
        if start < shard.trimmed:
            raise TrimmedData(shard_id)
        records = shard.records[start : start + self.most_a_read()]
        self.read_log += [shard_id] * len(records)
        end = start + len(records)
        at_end = shard.is_closed and end == len(shard.records)
        return records, None if at_end else f"{shard_id}|{end}"


def by_partition(*shard_ids: str, seed: int = 0) -> Callable[[Record], str]:
    """All records of one partition key on one shard, as DynamoDB deals them: the order of an item is kept."""

    def route(record: Record) -> str:
        partition = record["dynamodb"]["Keys"]["PK"]["S"]
        return random.Random(f"{seed} {partition}").choice(shard_ids)

    return route

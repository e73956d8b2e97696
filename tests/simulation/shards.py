"""The stream of the simulated table: shards that split, records that are kept for a day, iterators that expire."""

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from socialsite.table.transport.client import with_bytes

Raw = dict[str, Any]
Record = dict[str, Any]

PLAIN = {"S", "N", "SS", "NS", "BOOL", "NULL"}
KEPT_FOR = 86_400.0  # seconds
ITERATOR_LASTS = 900.0


class StreamRefusal(Exception):
    """`code` is DynamoDB's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass
class OneShard:
    shard_id: str
    parent_id: str | None
    low: int  # of the hashes of partition keys that come here, and the first above them
    high: int
    records: list[tuple[int, float, Record]] = field(default_factory=list)
    closed_at: float | None = None
    dropped: int = 0  # the last number that was dropped
    held_back_until: float = (
        0.0  # what was written after `held_back_from` is not seen before this moment
    )
    held_back_from: int = 0


@dataclass
class Shards:
    by_id: dict[str, OneShard] = field(default_factory=dict)
    last: int = 100_000
    opened: int = 0

    def __post_init__(self) -> None:
        self._open(None, 0, 1 << 32)

    def _open(self, parent: str | None, low: int, high: int) -> OneShard:
        self.opened += 1
        shard = OneShard(f"shardId-{self.opened:020d}-simulated", parent, low, high)
        self.by_id[shard.shard_id] = shard
        return shard

    @property
    def open(self) -> list[OneShard]:
        return [one for one in self.by_id.values() if one.closed_at is None]

    def note(
        self, place: tuple[str, str], old: Raw | None, new: Raw | None, *, moment: float, by: Any
    ) -> None:
        self.last += 1
        what = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
        written: dict[str, Any] = {
            "ApproximateCreationDateTime": float(int(moment)),
            "Keys": {"PK": {"S": place[0]}, "SK": {"S": place[1]}},
            "SequenceNumber": str(self.last).zfill(21),
            "SizeBytes": 300,
            "StreamViewType": "NEW_AND_OLD_IMAGES",
        }
        if new is not None:
            written["NewImage"] = as_read(new)
        if old is not None:
            written["OldImage"] = as_read(old)
        record: Record = {
            "eventID": f"{self.last:032x}",
            "eventName": what,
            "eventVersion": "1.1",
            "eventSource": "aws:dynamodb",
            "awsRegion": "sim",
            "dynamodb": written,
        }
        if by:
            record["userIdentity"] = by
        number = crc32(place[0].encode())
        for shard in self.open:
            if shard.low <= number < shard.high:
                shard.records.append((self.last, moment, record))
                return
        raise AssertionError("every partition has a shard")

    # What happens to a stream

    def split(self, shard: OneShard, moment: float) -> None:
        """Closes a shard. Two children go on with a half each, or one, as when Amazon rolls a shard after hours."""
        shard.closed_at = moment
        middle = (shard.low + shard.high) // 2
        if len(self.open) < 4 and middle > shard.low:
            self._open(shard.shard_id, shard.low, middle)
            self._open(shard.shard_id, middle, shard.high)
        else:
            self._open(shard.shard_id, shard.low, shard.high)

    def trim(self, moment: float) -> None:
        """Drops what is older than a day, and shards that closed before."""
        for shard in list(self.by_id.values()):
            keep = 0
            while keep < len(shard.records) and shard.records[keep][1] < moment - KEPT_FOR:
                keep += 1
            if keep:
                shard.dropped = shard.records[keep - 1][0]
                del shard.records[:keep]
            if shard.closed_at is not None and shard.closed_at < moment - KEPT_FOR:
                del self.by_id[shard.shard_id]

    # What is asked

    def describe(self) -> list[dict[str, Any]]:
        return [
            {"ShardId": one.shard_id, "SequenceNumberRange": {}}
            | ({"ParentShardId": one.parent_id} if one.parent_id else {})
            for one in self.by_id.values()
        ]

    def iterator(self, request: dict[str, Any], moment: float) -> str:
        shard = self._shard(request["ShardId"])
        after = shard.dropped
        if request["ShardIteratorType"] == "AFTER_SEQUENCE_NUMBER":
            after = int(request["SequenceNumber"])
            if after < shard.dropped:
                raise StreamRefusal("TrimmedDataAccessException")
        return f"{shard.shard_id}|{after}|{moment:.3f}"

    def read(self, iterator: str, moment: float, *, limit: int) -> tuple[list[Record], str | None]:
        shard_id, after_text, made = iterator.split("|")
        if moment - float(made) > ITERATOR_LASTS:
            raise StreamRefusal("ExpiredIteratorException")
        shard, after = self._shard(shard_id), int(after_text)
        if after < shard.dropped:
            raise StreamRefusal("TrimmedDataAccessException")
        first = bisect_right(shard.records, after, key=lambda one: one[0])
        found = shard.records[first : first + limit]
        if moment < shard.held_back_until:
            found = [one for one in found if one[0] <= shard.held_back_from]
        is_over = shard.closed_at is not None and moment >= shard.held_back_until
        if is_over and first + len(found) >= len(shard.records):
            following = None
        else:
            following = f"{shard_id}|{found[-1][0] if found else after}|{moment:.3f}"
        return [record for _, _, record in found], following

    def _shard(self, shard_id: str) -> OneShard:
        if shard_id not in self.by_id:
            raise StreamRefusal("ResourceNotFoundException")
        return self.by_id[shard_id]


def as_read(image: Raw) -> Raw:
    """An item as a reader of the stream has it, with bytes. It is shared, as nobody changes what they read."""
    is_plain = all(kind in PLAIN for value in image.values() for kind in value)
    return image if is_plain else {name: with_bytes(value) for name, value in image.items()}

"""A stream that is split as Amazon splits one: no local engine does."""

from typing import Any

from socialsite.streams.shards import Shard, Stream

PARENT, CHILD = "shardId-parent-00000000000001", "shardId-child-000000000000002"


class SplitStream(Stream):
    """The table's one shard as two: what is up to `at` is in the closed parent, the rest in its child."""

    def __init__(self, *, at: str, knows_parent: bool = True) -> None:
        self.at = at
        self.knows_parent = knows_parent
        self.shard_of: dict[str, str] = {}
        self.read_from: list[str] = []

    def shards(self) -> list[Shard]:
        parent = [Shard(PARENT, None)] if self.knows_parent else []
        return [Shard(CHILD, PARENT), *parent]

    def iterator(self, shard_id: str, after: str) -> str:
        (whole,) = super().shards()
        start = after or (self.at if shard_id == CHILD else "")
        iterator = super().iterator(whole.shard_id, start)
        self.shard_of[iterator] = shard_id
        return iterator

    def read(self, iterator: str) -> tuple[list[dict[str, Any]], str | None]:
        shard_id = self.shard_of[iterator]
        records, following = super().read(iterator)
        if records:
            self.read_from.append(shard_id)
        if shard_id == PARENT:
            return [one for one in records if not self._is_behind(one)], None
        if following:
            self.shard_of[following] = shard_id
        return [one for one in records if self._is_behind(one)], following

    def _is_behind(self, record: dict[str, Any]) -> bool:
        return int(record["dynamodb"]["SequenceNumber"]) > int(self.at)

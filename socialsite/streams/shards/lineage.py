"""Knows the shards, and which may be read: a child only after its parent is read to its end."""

from dataclasses import dataclass, field

from socialsite.streams.leases.lease import is_done
from socialsite.streams.shards.source import Shard


@dataclass
class Lineage:
    """The shards and their parents. `done` holds the shards that are read to their end, which never changes back."""

    shards: list[Shard] = field(default_factory=list)
    done: set[str] = field(default_factory=set)

    def list(self, shards: list[Shard]) -> None:
        """Takes over the shards that the stream lists now, and forgets the others."""
        self.shards = shards
        self.done &= {shard.shard_id for shard in shards}

    def is_done(self, shard_id: str) -> bool:
        """Whether the shard is read to its end. One GetItem as long as it is not."""
        if shard_id not in self.done and is_done(shard_id):
            self.done.add(shard_id)
        return shard_id in self.done

    def may_begin(self, shard: Shard) -> bool:
        """Whether the parent is read to its end, or dropped by the stream."""
        known = {other.shard_id for other in self.shards}
        return shard.parent_id not in known or self.is_done(str(shard.parent_id))

    def lost_parent(self, shard_id: str) -> str | None:
        """Returns the parent that a shard names, if the stream has dropped it."""
        parents = {shard.shard_id: shard.parent_id for shard in self.shards}
        parent_id = parents.get(shard_id)
        return parent_id if parent_id not in parents else None

"""Counts likes, and spreads those of a hot post over more partitions once one partition takes very many in a second."""

import threading
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings

from feed.likes.models import Like
from feed.likes.reads import wider
from feed.posts.models import LikeCount, Post
from socialsite.streams import Change, Ledger, on
from socialsite.table import NotFound, keys, write_batch
from socialsite.table import change as change_item


@on(Like, "INSERT", "REMOVE")
def count_like(change: Change, ledger: Ledger) -> None:
    """Adds a new or removed like to the post's count, through the ledger, which counts each record once.

    If the count is gone, so is the post. Then a like that came during the deletion is deleted too.

    The likes of a whole batch of records are one transaction of the sums and the checkpoint: 2 write units for each
    post and 2 for the lease, at most four times a second.
    """
    like = change.item
    assert isinstance(like, Like)

    def clear_like() -> None:
        write_batch(deletes=[like.key, keys.like_trace(like.user_id, like.post_id)])

    difference = 1 if change.event == "INSERT" else -1
    key = keys.like_count(like.post_id)
    ledger.add(LikeCount, key, LikeCount.likes, difference, if_gone=clear_like)


MOST_PARTITIONS = 10_000  # partitions that are remembered


@dataclass
class LikeRates:
    """How many likes this process saw in the last second of each partition, by the engine's clock.

    All writes of a partition are records of one stream shard, so the worker that reads it sees all of them, even if it
    is late and in whatever batches. Records that are read again count again, so spreading may
    start early, which is harmless.
    """

    seconds: dict[str, tuple[int, int]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, partition: str, moment: datetime) -> int:
        """Counts a like, and returns how many came in the same second."""
        second = int(moment.timestamp())
        with self.lock:
            if len(self.seconds) > MOST_PARTITIONS:
                self.seconds.clear()
            before, likes = self.seconds.get(partition, (second, 0))
            likes = likes + 1 if before == second else 1
            self.seconds[partition] = second, likes
        return likes


_rates = LikeRates()


@on(Like, "INSERT")
def spread_likes(change: Change, ledger: Ledger) -> None:
    """Spreads a post's likes further at each `SPREAD_LIKES_ABOVE`th like in one second and partition.

    One UpdateItem of the Post, 1 write unit, so at most one for each hundred likes. Safe to run twice: the number of
    shards is set to one of few levels, and never lowered.
    """
    like = change.item
    assert isinstance(like, Like)
    if _rates.note(like.pk, change.moment) % settings.SPREAD_LIKES_ABOVE == 0:
        _spread_over(like, wider(like.pk, like.post_id))
        ledger.note_effect()


def _spread_over(like: Like, shards: int) -> None:
    fewer = Post.like_shards.does_not_exist() | (Post.like_shards < shards)
    key = keys.post(like.author_id, like.post_id)
    with suppress(NotFound):  # they are already spread that far, or the post is gone
        change_item(Post, key, [Post.like_shards.set(shards)], condition=fewer)

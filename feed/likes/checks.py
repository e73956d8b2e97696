"""What must hold for likes once the stream worker has caught up: counts, traces, and their partitions. Corrects them
while people go on liking and the worker counts."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from feed.likes.models import Like
from feed.likes.reads import like_partitions
from feed.posts.models import LikeCount, LikeTrace, Post
from socialsite.clock import utc_now
from socialsite.invariants import must_hold
from socialsite.streams.recounting import Unapplied, mend_count
from socialsite.table import Item, Key, RawItem, fetch, get, key_of, keys, query, row, write_batch

Pair = tuple[str, str]


@must_hold
@dataclass
class LikeInvariants:
    """Give it every item with `add`, then ask for `results`. Pairs are of post and liker."""

    shards: dict[str, int] = field(default_factory=dict)  # of each post
    likes: Counter[Pair] = field(default_factory=Counter)
    places: set[Pair] = field(default_factory=set)  # of post and partition
    traces: set[Pair] = field(default_factory=set)
    counts: dict[str, int] = field(default_factory=dict)
    ended: set[str] = field(default_factory=set)  # posts whose counts may be gone before them

    def add(self, item: Item) -> None:
        match item:
            case Post():
                self.shards[item.post_id] = int(item.like_shards or 0)
                if item.ttl and item.ttl <= utc_now():
                    self.ended.add(item.post_id)
            case Like():
                self.likes[item.post_id, item.user_id] += 1
                self.places.add((item.post_id, item.pk))
            case LikeTrace() if not item.not_liked:
                self.traces.add((item.post_id, item.user_id))
            case LikeCount():
                self.counts[item.post_id] = int(item.likes)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        likes: Counter[str] = Counter()
        for (post_id, _), number in self.likes.items():
            likes[post_id] += number
        return {
            "like counts equal likes": [
                f"{post_id}: {count}, {likes[post_id]} likes"
                for post_id, count in self.counts.items()
                if count != likes[post_id]
            ],
            "every post has its like count, and no count is without its post": sorted(
                (self.shards.keys() ^ self.counts.keys()) - self.ended
            ),
            "every like has its trace": [
                f"{post} {user}" for post, user in self.likes.keys() ^ self.traces
            ],
            "nobody likes a post twice": [
                f"{post} {user}" for (post, user), number in self.likes.items() if number > 1
            ],
            "every like lies where its post's likes are read": sorted(
                place
                for post_id, place in self.places
                if post_id in self.shards
                and place not in like_partitions(post_id, self.shards[post_id])
            ),
            "no like is of a post that is gone": sorted(likes.keys() - self.shards.keys()),
        }


def mend_like_count(raw: RawItem) -> Iterator[str]:
    """Sets a post's count to its likes without those that the worker has yet to count; yields a line if it was wrong.

    Two GetItems and a Query of each partition of likes, consistent. Reads the stream behind the checkpoints only if
    they differ. A post that gets likes faster than this can read stays as it is.
    """
    post = row(Post, raw)
    post_id, author_id = post.post_id, post.author_id
    yield from mend_count(
        LikeCount,
        keys.like_count(post_id),
        "likes",
        count=partial(_count, keys.post(author_id, post_id), post_id),
        waiting=partial(_waiting, post_id),
    )


def _count(post_key: Key, post_id: str) -> int:
    # The number of shards is read again each time, because it may be raised meanwhile.
    shards = int(get(Post, post_key, consistent=True).like_shards or 0)
    partitions = like_partitions(post_id, shards)
    return sum(1 for part in partitions for _ in query(part, consistent=True))


def _waiting(post_id: str, unapplied: Unapplied) -> int:
    return sum(
        1 if change.event == "INSERT" else -1
        for change in unapplied.changes(Like)
        if isinstance(change.item, Like) and change.item.post_id == post_id
    )


def clear_orphans(likes: Sequence[RawItem]) -> None:
    """Deletes the likes whose post is gone, with their traces. A count goes with its post."""
    post_ids = [row(Like, raw).post_id for raw in likes]
    found = fetch(map(keys.like_count, post_ids), consistent=True)
    orphans = [
        raw
        for raw, post_id in zip(likes, post_ids, strict=True)
        if keys.like_count(post_id) not in found
    ]
    gone = (row(Like, raw) for raw in orphans)
    traces = [keys.like_trace(like.user_id, like.post_id) for like in gone]
    write_batch(deletes=[*map(key_of, orphans), *traces])

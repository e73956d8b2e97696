"""Corrects like counts and likes, while people go on liking and the worker counts."""

from collections.abc import Iterator, Sequence
from functools import partial

from feed.like_shards import like_partitions
from feed.models import Like, LikeCount, Post
from socialsite.streams.mend_count import mend_count
from socialsite.streams.unapplied import Unapplied
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, fetch, get, key_of, query
from socialsite.table.row import row
from socialsite.table.writing import write_batch


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

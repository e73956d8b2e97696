"""Corrects counts of reposts, while people go on reposting and the worker counts."""

from collections.abc import Iterator, Sequence
from functools import partial

from feed.models import LikeCount, Post, Reposter
from feed.reposts.clearing import clear_reposts
from socialsite.streams.mend_count import mend_count
from socialsite.streams.unapplied import Unapplied
from socialsite.table import keys
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row


def mend_repost_count(raw: RawItem) -> Iterator[str]:
    """Sets a post's count of reposts to those there are, without those that the worker has yet to count. Yields a line
    if it was wrong.

    One GetItem and a Query of the reposts, consistent; the stream behind the checkpoints only if they differ.
    """
    post_id = row(Post, raw).post_id
    yield from mend_count(
        LikeCount,
        keys.like_count(post_id),
        "reposts",
        count=partial(_count, post_id),
        waiting=partial(_waiting, post_id),
    )


def clear_orphaned_reposts(reposters: Sequence[RawItem]) -> None:
    """Deletes the reposts of posts that are gone. A count goes with its post."""
    those = [row(Reposter, raw) for raw in reposters]
    counts = fetch({keys.like_count(one.post_id): None for one in those}, consistent=True)
    clear_reposts(one for one in those if keys.like_count(one.post_id) not in counts)


def _count(post_id: str) -> int:
    return sum(1 for _ in query(keys.reposters(post_id), consistent=True))


def _waiting(post_id: str, unapplied: Unapplied) -> int:
    return sum(
        1 if change.event == "INSERT" else -1
        for change in unapplied.changes(Reposter)
        if isinstance(change.item, Reposter) and change.item.post_id == post_id
    )

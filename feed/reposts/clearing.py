"""Clears reposts of posts that are gone."""

from collections.abc import Iterable
from contextlib import suppress

from feed.models import Repost, Reposter
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.writing import change, write_batch


def clear_reposts(reposters: Iterable[Reposter]) -> None:
    """Takes the reposts of these people away, with the traces, which hold nothing else: the post is gone, and the likes
    with it. Safe to repeat.

    One UpdateItem for each, then BatchWriteItems. The pointers among people's own posts end by their TTL, as the stream
    worker may not delete what people post in batches.
    """
    gone = list(reposters)
    for one in gone:
        with suppress(NotFound):
            change(Repost, keys.post(one.user_id, one.repost_id), [Repost.ttl.set(utc_now())])
    write_batch(
        deletes=[
            key
            for one in gone
            for key in (
                keys.reposter(one.post_id, one.user_id),
                keys.like_trace(one.user_id, one.post_id),
            )
        ]
    )

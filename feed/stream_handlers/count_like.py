"""Counts likes."""

from feed.models import Like, LikeCount
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.writing import write_batch


@on(Like, "INSERT", "REMOVE")
def count_like(change: Change, ledger: Ledger) -> None:
    """Adds a new or removed like to the post's count, through the ledger, which counts each record once.

    If the count is gone, so is the post. Then a like that came during the deletion is deleted too.
    """
    like = change.item
    assert isinstance(like, Like)

    def clear_like() -> None:
        write_batch(deletes=[like.key, keys.like_trace(like.user_id, like.post_id)])

    difference = 1 if change.event == "INSERT" else -1
    key = keys.like_count(like.post_id)
    ledger.add(LikeCount, key, LikeCount.likes, difference, if_gone=clear_like)

"""Counts reposts."""

from feed.models import LikeCount, Reposter
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.writing import write_batch


@on(Reposter, "INSERT", "REMOVE")
def count_repost(change: Change, ledger: Ledger) -> None:
    """Adds a new or removed repost to the post's count, through the ledger, which counts each record once.

    If the count is gone, so is the post. Then a repost that came during the deletion is deleted too.
    """
    reposter = change.item
    assert isinstance(reposter, Reposter)

    def clear_repost() -> None:
        write_batch(deletes=keys_of_repost(reposter))

    difference = 1 if change.event == "INSERT" else -1
    key = keys.like_count(reposter.post_id)
    ledger.add(LikeCount, key, LikeCount.reposts, difference, if_gone=clear_repost)


def keys_of_repost(reposter: Reposter) -> list[keys.Key]:
    """Returns the keys of all that a repost of a post that is gone consists of."""
    user_id = reposter.user_id
    return [
        keys.reposter(reposter.post_id, user_id),
        keys.post(user_id, reposter.repost_id),
        keys.like_trace(user_id, reposter.post_id),
    ]

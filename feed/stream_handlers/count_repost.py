"""Counts reposts."""

from feed.models import LikeCount, Reposter
from feed.reposts.clearing import clear_reposts
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys


@on(Reposter, "INSERT", "REMOVE")
def count_repost(change: Change, ledger: Ledger) -> None:
    """Adds a new or removed repost to the post's count, through the ledger, which counts each record once.

    If the count is gone, so is the post. Then a repost that came during the deletion is cleared too.
    """
    reposter = change.item
    assert isinstance(reposter, Reposter)

    def clear_repost() -> None:
        clear_reposts([reposter])

    difference = 1 if change.event == "INSERT" else -1
    key = keys.like_count(reposter.post_id)
    ledger.add(LikeCount, key, LikeCount.reposts, difference, if_gone=clear_repost)

"""Counts follows of widely followed people. All others are counted by their own transactions."""

from accounts.models import UserCount
from relations.models import Following
from relations.services.follow_edges import WORKER
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys


@on(Following, "INSERT", "REMOVE")
def count_follow(change: Change, ledger: Ledger) -> None:
    """Adds a follow that began or ended to the followed person's count, if the edge says that the worker counts it.

    The ledger counts each record once. The record's own image of the edge says who counts, so nothing that changes
    later makes a follow count twice or not at all.
    """
    following = change.item
    assert isinstance(following, Following)
    if following.counted_by != WORKER:
        return
    difference = 1 if change.event == "INSERT" else -1
    key = keys.user_count(following.followed_id)
    ledger.add(UserCount, key, UserCount.followers, difference, if_gone=_leave)


def _leave() -> None:
    """Does nothing, because the count is gone with its account."""

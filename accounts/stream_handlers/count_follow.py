"""Follows of widely followed people become a count; all others are counted by their own transactions."""

from accounts.models import Following, UserCount
from accounts.services.follow_edges import WORKER
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys


@on(Following, "INSERT", "REMOVE")
def count_follow(change: Change, ledger: Ledger) -> None:
    """A follow began or ended: adds to the followed person's count if the edge says that the worker counts it.

    Through the ledger, which counts each record once. Which of both counts is read off the edge as it was when it
    began, or ended: nothing that changes meanwhile makes a record count twice or not at all.
    """
    following = change.item
    assert isinstance(following, Following)
    if following.counted_by != WORKER:
        return
    difference = 1 if change.event == "INSERT" else -1
    key = keys.user_count(following.followed_id)
    ledger.add(UserCount, key, UserCount.followers, difference, if_gone=_leave)


def _leave() -> None:
    """The count went with its account; there is nothing to be counted."""

"""Tells authors who likes their posts."""

from feed.models import Like
from feed.pointers import Pointer
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(Like, "INSERT", "REMOVE")
def notify_of_like(change: Change, ledger: Ledger) -> None:
    """One group for each post."""
    like = change.item
    assert isinstance(like, Like)
    notifications = Notifications()
    notifications.add(
        like.author_id,
        Kind.LIKE,
        actor=like.user_id,
        cause=like.key,
        subject_id=like.post_id,
        pointer=Pointer(like.post_id, like.author_id),
    )
    ledger.enter(notifications)

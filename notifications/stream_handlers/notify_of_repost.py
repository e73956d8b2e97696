"""Tells authors who reposts their posts."""

from feed.models import Reposter
from feed.pointers import Pointer
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(Reposter, "INSERT", "REMOVE")
def notify_of_repost(change: Change, ledger: Ledger) -> None:
    """One group for each post."""
    reposter = change.item
    assert isinstance(reposter, Reposter)
    notifications = Notifications()
    notifications.add(
        reposter.author_id,
        Kind.REPOST,
        actor=reposter.user_id,
        cause=reposter.key,
        subject_id=reposter.post_id,
        pointer=Pointer(reposter.post_id, reposter.author_id),
    )
    ledger.enter(notifications)

"""Tells people who follows them."""

from notifications.kinds import Kind
from notifications.plan import Notifications
from relations.models import Follower
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(Follower, "INSERT", "REMOVE")
def notify_of_follow(change: Change, ledger: Ledger) -> None:
    """All new followers are one group."""
    edge = change.item
    assert isinstance(edge, Follower)
    notifications = Notifications()
    notifications.add(edge.user_id, Kind.FOLLOW, actor=edge.follower_id, cause=edge.key)
    ledger.enter(notifications)

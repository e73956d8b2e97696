"""Tells people that moderators decided about them."""

from moderation.models import Strike
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(Strike, "INSERT")
def notify_of_decision(change: Change, ledger: Ledger) -> None:
    """Tells of each decision. It stays when the decision is undone: the account status says so."""
    strike = change.item
    assert isinstance(strike, Strike)
    notifications = Notifications()
    notifications.add(
        strike.user_id,
        Kind.DECISION,
        actor=strike.action_id,
        cause=strike.key,
        subject_id=strike.action_id,
    )
    ledger.enter(notifications)

"""Tells people that a scheduled post of theirs could not be published, and is a draft now."""

from feed.models import Draft
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(Draft, "INSERT")
def notify_of_unpublished(change: Change, ledger: Ledger) -> None:
    """Safe to run twice: the ledger counts a record once. If the draft is gone by then, nothing is told."""
    draft = change.item
    assert isinstance(draft, Draft)
    if not draft.reason:
        return
    notifications = Notifications()
    notifications.add(
        draft.user_id,
        Kind.UNPUBLISHED,
        actor=draft.draft_id,
        cause=draft.key,
        subject_id=draft.draft_id,
    )
    ledger.enter(notifications)

"""Tells members of staff that a colleague assigned a case to them."""

import hashlib

from moderation.cases.cases import CaseId
from moderation.models import AuditEntry, CaseKind
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger


@on(AuditEntry, "INSERT")
def notify_of_passed(change: Change, ledger: Ledger) -> None:
    """Tells the person that the log names, unless they took the case themselves. All new ones are one line. A case that
    was assigned twice counts once: the notification names it by a hash, as it may hold nobody's id."""
    entry = change.item
    assert isinstance(entry, AuditEntry)
    to = (entry.detail or {}).get("to", "")
    if entry.action != "assign" or not to or to == entry.moderator_id:
        return
    kind, _, subject_id = str(entry.case).rpartition("-")
    case_id = CaseId(CaseKind(kind), subject_id)
    notifications = Notifications()
    notifications.add(
        to,
        Kind.PASSED,
        actor=hashlib.sha256(str(case_id).encode()).hexdigest()[:10],
        cause=case_id.key,
    )
    ledger.enter(notifications)

"""Puts cases back from the desks of people whose role no longer opens them. The clock does it, because the stream
worker may not read roles: at once, and again a minute later for what was assigned at that very moment."""

from datetime import timedelta

from accounts.models import UserInfo
from accounts.permissions import list_staff
from moderation.cases.services.clear_desk import clear_desk_by_role
from socialsite.due.planning import plan
from socialsite.due.work import due_work
from socialsite.models import Due, Role
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table.actions import Put
from socialsite.table.writing import transact

DESK, DESKS_OF_ROLE = "clear-desk", "clear-desks-of-role"
AGAIN = timedelta(minutes=1)


@on(UserInfo, "MODIFY")
def clear_desk_after_role(change: Change, ledger: Ledger) -> None:
    """Plans it for someone who lost their role or got another. Safe to run twice: the same work is planned."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if old.role and old.role != new.role:
        _plan(DESK, new.user_id, change)
        ledger.note_effect()


@on(Role, "MODIFY", "REMOVE")
def clear_desks_after_permissions(change: Change, ledger: Ledger) -> None:
    """Plans it for everyone who has a role that permits less now. Safe to run twice, as above."""
    old, new = change.old, change.new
    assert isinstance(old, Role)
    left = set(new.permissions) if isinstance(new, Role) else set()
    if set(old.permissions) - left:
        _plan(DESKS_OF_ROLE, old.name, change)
        ledger.note_effect()


@due_work(DESK)
def clear_desk_now(due: Due) -> None:
    """Safe to run twice: what was put back lies on the desk no more."""
    clear_desk_by_role(due.subject)


@due_work(DESKS_OF_ROLE)
def clear_desks_now(due: Due) -> None:
    """Safe to run twice, as above."""
    for person in list_staff():
        if person.role == due.subject:
            clear_desk_by_role(person.user_id)


def _plan(kind: str, subject: str, change: Change) -> None:
    moments = (change.moment, change.moment + AGAIN)
    planned = [plan(kind, moment=moment, subject=subject).item for moment in moments]
    transact(*map(Put, planned))

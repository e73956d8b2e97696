"""What follows from a case: photos of reported posts, messages and profiles are copied, and the copies deleted with
their case; people are told what was decided about them; cases leave the desks of people whose role no longer opens
them.

The clock clears desks, because the stream worker may not read roles: at once, and again a minute later for what was
assigned at that very moment.
"""

from datetime import timedelta

from accounts.models import UserInfo
from accounts.permissions import list_staff
from moderation.cases.held import KEEP_URGENT, look_at_urgent
from moderation.cases.photos import SWEEP, copy_photo, forget_copy, sweep_copies, withdraw_picture
from moderation.cases.reads import CaseId
from moderation.cases.writes import clear_desk_by_role
from moderation.models import CaseKind, CasePhoto, Strike
from moderation.notices import DECISION
from socialsite.due.models import Due
from socialsite.due.work import due_work, plan
from socialsite.models import Role
from socialsite.streams import Change, Ledger, on
from socialsite.table import Put, transact
from socialsite.telling import Cause, tell


@on(CasePhoto, "INSERT")
def copy_reported_photo(change: Change, ledger: Ledger) -> None:
    """Copies a reported photo, or a picture of a reported profile. As `copy_photo`. Safe to run twice: what was copied,
    or could not be, stays as it is. A try that was killed is done again, and finds its own file if the photo was
    deleted meanwhile."""
    ledger.note_effect()
    copy_photo(change.item.key)


@on(CasePhoto, "INSERT", "MODIFY")
def withdraw_reset_picture(change: Change, ledger: Ledger) -> None:
    """Takes a picture away from everyone whose profile was reset. Safe to run twice: the files have a name that never
    comes back, not even when the reset is undone."""
    photo, old = change.item, change.old
    assert isinstance(photo, CasePhoto)
    if photo.withdrawn and not (isinstance(old, CasePhoto) and old.withdrawn):
        ledger.note_effect()
        withdraw_picture(photo)


@on(CasePhoto, "REMOVE")
def delete_copy_of_photo(change: Change, ledger: Ledger) -> None:
    """Deletes the copy of a photo when its item goes. Safe to run twice: the name of the file holds a secret that never
    comes back."""
    photo = change.item
    assert isinstance(photo, CasePhoto)
    ledger.note_effect()
    forget_copy(photo)


@due_work(SWEEP)
def sweep_photos(due: Due) -> None:
    """Deletes copies that no case names, in a night after a report. As `sweep_copies`. Safe to run twice: what is gone
    is not listed again."""
    sweep_copies(due.subject)


@on(Strike, "INSERT")
def notify_of_decision(change: Change, ledger: Ledger) -> None:
    """Tells of each decision. It stays when the decision is undone: the account status says so."""
    strike = change.item
    assert isinstance(strike, Strike)
    cause = Cause(strike.action_id, strike.key, about=strike.action_id)
    tell(strike.user_id, DECISION, cause).enter(ledger)


DESK, DESKS_OF_ROLE = "clear-desk", "clear-desks-of-role"
AGAIN = timedelta(minutes=1)


@on(UserInfo, "MODIFY")
def clear_desk_after_role(change: Change, ledger: Ledger) -> None:
    """Plans that the desk is cleared of someone who lost their role or got another. Safe to run twice: the same work is
    planned."""
    old, new = change.old, change.new
    assert isinstance(old, UserInfo)
    assert isinstance(new, UserInfo)
    if old.role and old.role != new.role:
        _plan(DESK, new.user_id, change)
        ledger.note_effect()


@on(Role, "MODIFY", "REMOVE")
def clear_desks_after_permissions(change: Change, ledger: Ledger) -> None:
    """Plans that the desks are cleared of everyone who has a role that permits less now. Safe to run twice, as
    above."""
    old, new = change.old, change.new
    assert isinstance(old, Role)
    left = set(new.permissions) if isinstance(new, Role) else set()
    if set(old.permissions) - left:
        _plan(DESKS_OF_ROLE, old.name, change)
        ledger.note_effect()


@due_work(DESK)
def clear_desk_now(due: Due) -> None:
    """Clears the desk of someone by their role. As `clear_desk_by_role`. Safe to run twice: what was put back lies on
    the desk no more."""
    clear_desk_by_role(due.subject)


@due_work(DESKS_OF_ROLE)
def clear_desks_now(due: Due) -> None:
    """Clears the desks of all who have a role. As `clear_desk_by_role` each. Safe to run twice, as above."""
    for person in list_staff():
        if person.role == due.subject:
            clear_desk_by_role(person.user_id)


def _plan(kind: str, subject: str, change: Change) -> None:
    moments = (change.moment, change.moment + AGAIN)
    planned = [plan(kind, moment=moment, subject=subject).item for moment in moments]
    transact(*map(Put, planned))


@due_work(KEEP_URGENT)
def keep_urgent_when_due(due: Due) -> None:
    """Keeps an urgent case of someone who was erased until it is decided, and half a year more. As `look_at_urgent`.
    Safe to run twice: the end only moves on."""
    look_at_urgent(CaseId(CaseKind(due.facts["case_kind"]), due.facts["case_subject"]))

"""Reviewing a case. Others see who reviews it, and cannot decide it in the meantime. A review lapses after a while."""

from contextlib import suppress
from datetime import timedelta

from accounts.models import UserInfo
from accounts.permissions import permissions_of_role
from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import (
    CaseId,
    CaseMoved,
    change_case,
    is_free_for,
    is_open,
    read_case,
)
from moderation.cases.open_appeals import is_left_to_others
from moderation.models import Case, CaseKind
from socialsite.clock import utc_now
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Check
from socialsite.table.errors import Conflict, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change

CLAIM_MINUTES = 15


class Claimed(Conflict):
    """Another moderator is reviewing the case."""


class LeftToOthers(Conflict):
    """The moderator made the decision that is appealed, and others may answer."""


class CannotHave(CaseMoved):
    """The moderator's role does not open such cases, or changes at this moment."""


@access_pattern
def claim_case(*, by: Viewer, case_id: CaseId) -> None:
    """Starts the moderator's review of an open case, or extends it. Raises `Claimed`, `LeftToOthers`, `NotFound`.

    One UpdateItem on the condition that nobody else reviews it and that no appeal waits, 2 write units (the index holds
    a copy). If that fails a GetItem, what `is_left_to_others` costs, and once more the UpdateItem.
    """
    until = (utc_now() + timedelta(minutes=CLAIM_MINUTES)).isoformat()
    actions = [Case.claimed_by.set(by.user_id), Case.claimed_until.set(until)]
    free = Case.escalated_to.exists() & is_free_for(by.user_id)
    no_appeal = free & Case.appealed.does_not_exist()
    try:
        change(Case, case_id.key, actions, condition=no_appeal, otherwise=Claimed)
    except Claimed:
        case = read_case(case_id)
        if not is_open(case):
            raise NotFound("the case is closed") from None
        if not case.appealed:
            raise
        if is_left_to_others(by, case):
            raise LeftToOthers from None
        as_read = free & (Case.appealed == case.appealed)
        change(Case, case_id.key, actions, condition=as_read, otherwise=Claimed)


@access_pattern
def leave_case(*, by: Viewer, case_id: CaseId) -> None:
    """Ends the viewer's review of the case. Safe to repeat. One UpdateItem, 2 write units."""
    actions = [Case.claimed_by.remove(), Case.claimed_until.remove()]
    with suppress(NotFound):
        change(Case, case_id.key, actions, condition=Case.claimed_by == by.user_id)


@access_pattern
def assign_case(*, by: Viewer, case_id: CaseId, moderator_id: str) -> None:
    """Assigns an open case to a moderator whose role opens it, or returns it to its queue if none is given. Raises
    `CaseMoved`, `CannotHave`, `NotFound`.

    One consistent GetItem, then a transaction with the audit log, 8 write units. To assign it, a consistent GetItem of
    the moderator, that of a role of the site's own, and 2 write units more, so that the role is what was read.
    """
    case = read_case(case_id)
    if not is_open(case):
        raise NotFound("the case is closed")
    partition = keys.desk(moderator_id) if moderator_id else keys.queue(case.queue)
    actions = [
        Case.escalated_to.set(partition),
        Case.assigned_to.set(moderator_id) if moderator_id else Case.assigned_to.remove(),
        Case.claimed_by.remove(),
        Case.claimed_until.remove(),
    ]
    moved: Change = change_case(case, actions, by=by.user_id)
    record(
        *([_may_have(moderator_id, case)] if moderator_id else []),
        moved,
        by=by.user_id,
        action="assign" if moderator_id else "put back",
        case=str(case_id),
        person_id=case.person_id,
        detail={"to": moderator_id} if moderator_id else None,
    )


def _may_have(moderator_id: str, case: Case) -> Check:
    """Returns the check that the moderator still has the role which opens the case."""
    key = keys.user_info(moderator_id)
    role = reading.get(UserInfo, key, consistent=True).role
    if not role or permission_for(CaseKind(case.kind)) not in permissions_of_role(role):
        raise CannotHave
    return Check(key, UserInfo.role == role, CannotHave)

"""Undoing what was done about a case: its effects end at once, and a case that it closed is open again."""

from collections.abc import Sequence
from functools import partial

from accounts.viewer import Viewer
from moderation.audit import record_made
from moderation.cases import (
    FIRST_QUEUES,
    CaseId,
    CaseMoved,
    change_case,
    id_of,
    is_open,
    put_in_queue,
    read_case,
    urgency,
)
from moderation.effects import Target, effects_of_undoing
from moderation.models import ActionKind, Case, CaseAction, CaseKind, Strike
from moderation.services.decide import TOLD, notice
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Delete, WriteAction
from socialsite.table.errors import AlreadyExists
from socialsite.table.ids import now_iso
from socialsite.table.meter import access_pattern

TRIES = 5


class AlreadyUndone(AlreadyExists):
    """Somebody undid it before."""


@access_pattern
def undo_action(*, by: Viewer, case_id: CaseId, action_id: str) -> None:
    """Undoes an action; doing so again changes nothing. The person is told.

    Two consistent GetItems and for posts one BatchGetItem, then one TransactWriteItems of the effects, action, strike,
    notice, case and audit log, about 20 write units. Raises `NotFound`, `CaseMoved`.
    """
    for attempt in range(TRIES):
        case = read_case(case_id)
        key = keys.case_action(case.kind, case.subject_id, action_id)
        action = reading.get(CaseAction, key, consistent=True)
        try:
            record_made(
                partial(_actions, by, case, action),
                by=by.user_id,
                action=f"undo {action.kind}",
                case=str(case_id),
                person_id=case.person_id,
            )
        except AlreadyUndone:
            return
        except CaseMoved:
            if attempt == TRIES - 1:
                raise
            continue
        return


def undone(by: Viewer, case: Case, action: CaseAction) -> list[WriteAction]:
    """The effects reversed, and action and strike marked."""
    kind, now = ActionKind(action.kind), now_iso()
    posts = (case.subject_id,) if case.kind == CaseKind.POST else tuple(sorted(action.posts or ()))
    key = keys.case_action(case.kind, case.subject_id, action.action_id)
    marks = [CaseAction.undone_by.set(by.user_id), CaseAction.undone_at.set(now)]
    not_yet = CaseAction.undone_at.does_not_exist()
    actions: list[WriteAction] = [
        Change(CaseAction, key, marks, not_yet, AlreadyUndone),
        *effects_of_undoing(kind, Target(case.person_id, posts)),
    ]
    if kind in TOLD:
        strike = keys.strike(case.person_id, action.action_id)
        actions.append(Change(Strike, strike, [Strike.undone_at.set(now)]))
        actions.append(notice(case.person_id, action.action_id))
    return actions


def _actions(by: Viewer, case: Case, action: CaseAction) -> Sequence[WriteAction]:
    closed_it = not is_open(case) and case.decision == action.action_id
    return [*undone(by, case, action), *(_reopened(case) if closed_it else _unchanged(case))]


def _unchanged(case: Case) -> list[WriteAction]:
    return [change_case(case, [])]


def _reopened(case: Case) -> list[WriteAction]:
    severity = urgency(int(case.severity), int(case.reports))
    queue = FIRST_QUEUES[CaseKind(case.kind)]
    actions = [
        *put_in_queue(case, keys.queue(queue), severity, case.opened_at),
        Case.queue.set(queue),
        Case.closed_at.remove(),
        Case.decision.remove(),
    ]
    case_id = id_of(case)
    closed_at = str(case.closed_at)
    return [
        change_case(case, actions),
        Delete(
            keys.case_outcome(case_id.kind, case_id.subject_id, int(case.round)),
            otherwise=CaseMoved,
        ),
        Delete(
            keys.closed_case(closed_at[:7], closed_at, case_id.kind, case_id.subject_id),
            otherwise=CaseMoved,
        ),
    ]

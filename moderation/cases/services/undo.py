"""Undoing an action on a case: its effects end at once, and a case that it closed is open again.

The state before comes back: an earlier restriction is in force again, and a held post or a sign-up waits again.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from pynamodb.expressions.update import Action

from accounts.viewer import Viewer
from moderation.audit.record import record_made
from moderation.cases.case_permissions import must_outrank, read_case_and_role
from moderation.cases.cases import (
    FIRST_QUEUES,
    CaseId,
    CaseMoved,
    change_case,
    id_of,
    is_open,
    put_in_queue,
)
from moderation.cases.lists.corrected import as_grave_as
from moderation.cases.open_appeals import open_appeals, settle_appeal
from moderation.cases.rounds import acted_without, outcome_without, severity_without
from moderation.cases.services.decide import OwnCase
from moderation.cases.services.undone import (
    AlreadyUndone,
    effects_undone,
    marked_undone,
    undone,
)
from moderation.cases.states import Step, after, state_of
from moderation.models import WITHOUT_EFFECT, Appeal, Case, CaseAction, CaseKind
from socialsite.table import keys, reading
from socialsite.table.actions import Delete, WriteAction
from socialsite.table.as_read import write_as_read
from socialsite.table.meter import access_pattern


@access_pattern
def undo_action(*, by: Viewer, case_id: CaseId, action_id: str) -> None:
    """Undoes an action and tells the person. Safe to repeat. An appeal against the action is granted with it.

    As `read_case_and_role`, two consistent GetItems, for posts one BatchGetItem, for restrictions and appeals one Query
    of the person's strikes, for an outcome that names the action what `outcome_without` says, then one
    TransactWriteItems of the effects, action, strike, notice, case and audit log: 19 write units for a suspension, 21
    for a hidden post, 2 more for the outcome and 2 for the case among the closed ones. Of an action that left the
    case open and named a rule one more Query. Raises `NotFound`, `CaseMoved`, `OwnCase`, `Outranked`.
    """

    def attempt() -> None:
        case, role = read_case_and_role(case_id)
        if case.person_id == by.user_id:
            raise OwnCase
        key = keys.case_action(case.kind, case.subject_id, action_id)
        action = reading.get(CaseAction, key, consistent=True)
        if action.undone_at:
            return
        if action.kind not in WITHOUT_EFFECT:
            must_outrank(by, role)
        record_made(
            partial(_actions, by, case, action),
            by=by.user_id,
            action=f"undo {action.kind}",
            case=str(case_id),
            person_id=case.person_id,
        )

    with suppress(AlreadyUndone):
        write_as_read(attempt, moved=CaseMoved)


def _actions(by: Viewer, case: Case, action: CaseAction) -> Sequence[WriteAction]:
    if action.action_id in open_appeals(case):
        ended = undone(by.user_id, case, action, answers_appeal=True)
        granted = Appeal.GRANTED
        return [
            *ended,
            *settle_appeal(case, action.action_id, answer=granted, by=by.user_id, undone=action),
        ]
    closed_it = not is_open(case) and case.decision == action.action_id
    if after(case, Step.UNDO_CLOSING if closed_it else Step.UNDO_EARLIER) is state_of(case):
        changed = [*acted_without(case, action), *_as_grave_without(case, action)]
        return [*undone(by.user_id, case, action), change_case(case, changed)]
    effects = effects_undone(case, action, waits=case.kind != CaseKind.PERSON)
    is_gone = case.kind == CaseKind.POST and not effects
    return [
        *effects,
        *marked_undone(by.user_id, case, action),
        *(_stays_closed(case, action) if is_gone else _reopened(case, action)),
    ]


def _as_grave_without(case: Case, action: CaseAction) -> list[Action]:
    """Returns the change of an open case that is as grave as the action said: it is again what the last other one says,
    otherwise what its reports do. As `severity_without`, if the action named a rule."""
    if not is_open(case) or not action.rule_id or action.round != case.round:
        return []
    return as_grave_as(case, severity_without(case, action.action_id))


def _stays_closed(case: Case, action: CaseAction) -> list[WriteAction]:
    return [change_case(case, []), *outcome_without(case, action)]


def _reopened(case: Case, action: CaseAction) -> list[WriteAction]:
    severity, reports = int(case.severity), int(case.reports)
    queue = FIRST_QUEUES[CaseKind(case.kind)]
    actions = [
        *put_in_queue(case, keys.queue(queue), severity, reports, case.opened_at),
        Case.queue.set(queue),
        Case.closed_at.remove(),
        Case.decision.remove(),
        *acted_without(case, action),
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

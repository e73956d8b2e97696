"""Appeals that wait for an answer: the ones a case has, who answers, and what happens to the case when one is settled.

A person can appeal against several actions of one case. The case waits in the index until the last appeal is settled.
The moderator who made the decision does not answer while another one may.
"""

from collections.abc import Collection, Sequence

from pynamodb.expressions.update import Action

from accounts.cards import PersonCard
from accounts.permissions import Permission, list_staff, permissions_of_role
from accounts.viewer import Viewer
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import CaseId, change_case, id_of, partition_of, put_in_queue
from moderation.cases.closing import close_case
from moderation.cases.rounds import acted_without, severity_without
from moderation.cases.states import State, Step, after
from moderation.models import ActionKind, Appeal, Case, CaseAction, Queue, Strike
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.reading import fetch, query
from socialsite.table.row import row


def open_appeals(case: Case) -> list[str]:
    """Returns the ids of the appealed actions, oldest first. Query of the person's strikes, consistent; no read if the
    case has no appeal. A new appeal changes the case's version, so the answer stays right until the write."""
    if not case.appealed:
        return []
    about = (case.kind, case.subject_id)
    strikes = (row(Strike, raw) for raw in query(keys.strikes(case.person_id), consistent=True))
    return [
        strike.action_id
        for strike in strikes
        if strike.appeal == Appeal.OPEN and (strike.case_kind, strike.subject_id) == about
    ]


def settle_appeal(
    case: Case, action_id: str, *, answer: Appeal, by: str, undone: CaseAction | None = None
) -> list[WriteAction]:
    """Returns the change of the case: it waits for the next appeal, goes back to its remaining reports, as grave as it
    was without the appeal, or closes. One Query, as `open_appeals`, what `acted_without` reads if the action is undone,
    and what `severity_without` reads."""
    others = [other for other in open_appeals(case) if other != action_id]
    acted = acted_without(case, undone) if undone else []
    match after(case, _step(others, int(case.reports))):
        case State.APPEALED:
            return [
                change_case(
                    case,
                    [Case.appealed.set(others[0]), Case.appeals.set(len(others)), *acted],
                    by=by,
                )
            ]
        case State.CLOSED:
            return close_case(case, decision=answer, action_id=action_id, by=by)
    return [without_appeals(case, *acted, undone=action_id if undone else "", by=by)]


def without_appeals(case: Case, *more: Action, undone: str = "", by: str = "") -> Change:
    """Returns the change of a case that goes back to its reports, as grave as it was without the appeal and without an
    action that is `undone`. Reads what `severity_without` says."""
    severity, reports = severity_without(case, undone), int(case.reports)
    back = [
        Case.queue.set(Queue.REPORTS),
        Case.severity.set(severity),
        Case.appealed.remove(),
        Case.appeals.remove(),
        *more,
        *put_in_queue(case, partition_of(case, Queue.REPORTS), severity, reports, case.opened_at),
    ]
    return change_case(case, back, by=by)


def _step(others: Sequence[str], reports: int) -> Step:
    if others:
        return Step.ANSWER_ONE_OF_SEVERAL
    return Step.ANSWER_BEFORE_REPORTS if reports else Step.ANSWER


def others_answer(
    by: Viewer,
    case_id: CaseId,
    person_id: str,
    kind: str,
    *,
    staff: Collection[PersonCard] | None = None,
) -> bool:
    """Whether another member of staff may answer an appeal against an action of this kind, which takes a role above
    that of the person. As `list_staff` unless the caller has read it, and the roles of the site's own, 0.5 read units
    each."""
    needed = {permission_for(case_id.kind)}
    if kind == ActionKind.SUSPEND:
        needed.add(Permission.SUSPEND)
    all_staff = list_staff() if staff is None else staff
    theirs = next((one.role for one in all_staff if one.user_id == person_id), "")
    above = permissions_of_role(theirs)
    roles = {one.role for one in all_staff if one.user_id not in (by.user_id, person_id)}
    found = map(permissions_of_role, roles)
    return any(needed <= permissions and above < permissions for permissions in found)


def is_left_to_others(by: Viewer, case: Case) -> bool:
    """Whether the case waits for nothing but the answer to an appeal that others have to give: reports beside it are
    for everyone. Nothing is read without an appeal or with reports, otherwise one consistent BatchGetItem, 1 read unit,
    and of one's own decision what `others_answer` costs."""
    if not case.appealed or case.reports:
        return False
    key = keys.case_action(case.kind, case.subject_id, case.appealed)
    action = row(CaseAction, fetch([key], consistent=True).get(key, {}))
    is_own = action.moderator_id == by.user_id
    return is_own and others_answer(by, id_of(case), case.person_id, action.kind)

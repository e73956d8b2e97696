"""What still stands of what was done in a round of a case, and the appeals that wait in it: undoing an action, or
settling an appeal, leaves nothing untrue behind, neither the outcome that reporters read nor the list of closed cases.

A person can appeal against several actions of one case. The case waits in the index until the last appeal is settled.
The moderator who made the decision does not answer while another one may.
"""

from collections.abc import Collection, Sequence
from itertools import islice

from pynamodb.expressions.update import Action

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from accounts.permissions import Permission, list_staff, permissions_of_role
from moderation.cases.changes import (
    State,
    Step,
    after,
    change_case,
    close_case,
    named_so_far,
    put_in_queue,
    severity_named,
)
from moderation.cases.limits import may_answer_appeals
from moderation.cases.reads import (
    THE_SITE,
    CaseId,
    CaseMoved,
    id_of,
    is_open,
    partition_of,
    permission_for,
)
from moderation.models import (
    WITHOUT_EFFECT,
    ActionKind,
    Appeal,
    Case,
    CaseAction,
    CaseOutcome,
    ClosedCase,
    Queue,
    Strike,
)
from socialsite.clock import utc_now_iso
from socialsite.site_settings.site_rules import rule_of
from socialsite.table import Change, WriteAction, as_model, fetch, keys, query, row

SUSPENDING = {ActionKind.SUSPEND, ActionKind.REMOVE}  # what takes the permission to suspend


def last_standing(case: Case, *, round_number: int, besides: str = "") -> CaseAction | None:
    """Returns the newest action of moderators in a round that was not undone, None if there is none. One consistent
    Query of the case's actions. A new action changes the case's version, so it stays right until the write."""
    partition = keys.case_partition(case.kind, case.subject_id)
    rows = query(partition, between=keys.action_bounds(), forward=False, consistent=True)
    for action in (as_model(CaseAction, raw) for raw in rows):
        is_of_round = int(action.round or 0) == round_number
        has_effect = action.kind not in WITHOUT_EFFECT and action.moderator_id != THE_SITE
        if is_of_round and has_effect and not action.undone_at and action.action_id != besides:
            return action
    return None


def automatic_standing(case: Case) -> list[CaseAction]:
    """Returns what the site did by itself in this round of a case and nobody has undone, at most the newest: one limit
    at a time. One consistent Query of the case's actions."""
    partition = keys.case_partition(case.kind, case.subject_id)
    rows = query(partition, between=keys.action_bounds(), forward=False, consistent=True)
    found = (as_model(CaseAction, raw) for raw in rows)
    standing = (
        action
        for action in found
        if action.moderator_id == THE_SITE and action.round == case.round and not action.undone_at
    )
    return list(islice(standing, 1))


def acted_without(case: Case, action: CaseAction) -> list[Action]:
    """Returns the change of `Case.acted` when an action is undone. As `last_standing`; no read if no action left the
    case open."""
    if not case.acted:
        return []
    if not action.round:  # from before actions named their round
        return [Case.acted.remove()] if case.acted == action.kind else []
    if int(action.round) != int(case.round):
        return []
    other = last_standing(case, round_number=int(case.round), besides=action.action_id)
    return [Case.acted.set(other.kind) if other else Case.acted.remove()]


def severity_without(case: Case, action_id: str) -> int:
    """Returns how grave an open case is without its appeal and without an action (empty for none): as the last rule
    that a moderator named in the round says, otherwise as its reports do. As `last_standing`; no read if nothing was
    done in the round."""
    last = None
    if case.acted:
        last = last_standing(case, round_number=int(case.round), besides=action_id)
    if last and last.rule_id:
        return rule_of(last.rule_id).severity
    return severity_named(named_so_far(case), otherwise=int(case.severity))


def outcome_without(case: Case, action: CaseAction) -> list[WriteAction]:
    """Returns the change of the outcome that names an action when that is undone, and of the case among the closed
    ones: they name the last other action of the round, or say that it was undone.

    Nothing while the round is open. Otherwise one consistent BatchGetItem, 1 read unit, and `last_standing` if the
    outcome names the action.
    """
    number = int(action.round or 0)
    if not number or (is_open(case) and number == int(case.round)):
        return []
    key = keys.case_outcome(case.kind, case.subject_id, number)
    raw = fetch([key], consistent=True).get(key)
    outcome = as_model(CaseOutcome, raw) if raw else None
    if outcome is None or (outcome.action_id, outcome.decision) != (action.action_id, action.kind):
        return []
    other = last_standing(case, round_number=number, besides=action.action_id)
    now = utc_now_iso()
    if other:
        changed = [CaseOutcome.decision.set(other.kind), CaseOutcome.action_id.set(other.action_id)]
        listed = ClosedCase.decision.set(other.kind)
    else:
        changed = [CaseOutcome.undone_at.set(now)]
        listed = ClosedCase.undone_at.set(now)
    as_read = CaseOutcome.action_id == action.action_id
    writes: list[WriteAction] = [Change(CaseOutcome, key, changed, as_read, CaseMoved)]
    if case.closed_at == outcome.decided_at:
        at = outcome.decided_at
        closed = keys.closed_case(at[:7], at, case.kind, case.subject_id)
        writes.append(Change(ClosedCase, closed, [listed], otherwise=CaseMoved))
    return writes


def outcome_of(case: Case, kind: ActionKind, action_id: str) -> tuple[str, str]:
    """Returns the kind and the id of the action that a round ends with: of one without effect, the last before it that
    stands. As `last_standing`; no read if there was none before."""
    if kind in WITHOUT_EFFECT and case.acted:
        before = last_standing(case, round_number=int(case.round))
        return (before.kind, before.action_id) if before else (case.acted, action_id)
    return kind, action_id


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
    if kind in SUSPENDING:
        needed.add(Permission.SUSPEND)
    all_staff = list_staff() if staff is None else staff
    theirs = next((one.role for one in all_staff if one.user_id == person_id), "")
    above = permissions_of_role(theirs)
    roles = {one.role for one in all_staff if one.user_id not in (by.user_id, person_id)}
    found = map(permissions_of_role, (one for one in roles if may_answer_appeals(one, kind)))
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

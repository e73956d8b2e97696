"""What still stands of what was done in a round of a case, so that undoing an action leaves nothing untrue behind:
neither the outcome that reporters read, nor the list of closed cases."""

from itertools import islice

from pynamodb.expressions.update import Action

from moderation.cases.cases import CaseMoved, is_open
from moderation.cases.lists.severity import named_so_far, severity_named
from moderation.cases.services.report import THE_SITE
from moderation.models import (
    WITHOUT_EFFECT,
    ActionKind,
    Case,
    CaseAction,
    CaseOutcome,
    ClosedCase,
)
from socialsite.clock import utc_now_iso
from socialsite.site.site_rules import rule_of
from socialsite.table import keys
from socialsite.table.actions import Change, WriteAction
from socialsite.table.reading import as_model, fetch, query


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

"""Closing a case, and ending one of its rounds: what its reporters hear, and the list of closed cases."""

from moderation.cases.cases import change_case, partition_of, put_in_queue
from moderation.models import Case, CaseOutcome, ClosedCase
from socialsite.clock import utc_now_iso
from socialsite.table import keys
from socialsite.table.actions import Create, WriteAction


def close_case(
    case: Case, *, decision: str, action_id: str, by: str, named: str = ""
) -> list[WriteAction]:
    """Removes the case from the index, tells its reporters the outcome, and lists it as closed. `named` is the action
    that the outcome is about, if another than the one that closes the case. What is written of a case that ends, ends
    with it."""
    now = utc_now_iso()
    actions = [
        Case.escalated_to.remove(),
        Case.escalated_at.remove(),
        Case.claimed_by.remove(),
        Case.claimed_until.remove(),
        Case.assigned_to.remove(),
        Case.appealed.remove(),
        Case.appeals.remove(),
        Case.closed_at.set(now),
        Case.decision.set(action_id),
    ]
    closed = keys.closed_case(now[:7], now, case.kind, case.subject_id)
    return [
        change_case(case, actions, by=by),
        _outcome(case, decision, named or action_id, now),
        Create(
            ClosedCase(
                *closed,
                kind=case.kind,
                subject_id=case.subject_id,
                decision=decision,
                moderator_id=by,
                closed_at=now,
                ttl=case.ttl,
            )
        ),
    ]


def end_round(case: Case, *, decision: str, by: str, named: str) -> list[WriteAction]:
    """Tells the reporters of an open case the outcome, while the case still waits for the answer to an appeal."""
    severity = int(case.severity)
    actions = [
        Case.round.set(int(case.round) + 1),
        Case.reports.set(0),
        Case.rules.remove(),
        Case.named.remove(),
        Case.acted.remove(),
        *put_in_queue(case, partition_of(case, case.queue), severity, 0, case.opened_at),
    ]
    return [change_case(case, actions, by=by), _outcome(case, decision, named, utc_now_iso())]


def _outcome(case: Case, decision: str, named: str, now: str) -> Create:
    key = keys.case_outcome(case.kind, case.subject_id, int(case.round))
    outcome = CaseOutcome(*key, round=case.round, decision=decision, decided_at=now)
    outcome.action_id, outcome.ttl = named, case.ttl
    return Create(outcome)

"""Appeals that wait for an answer: the ones a case has, and what happens to the case when one is settled.

A person can appeal against several actions of one case. The case waits in the index until the last appeal is settled.
"""

from collections.abc import Sequence

from moderation.cases.cases import change_case, partition_of, put_in_queue
from moderation.cases.closing import close_case
from moderation.cases.rounds import acted_without, severity_without
from moderation.cases.states import State, Step, after
from moderation.models import Appeal, Case, CaseAction, Queue, Strike
from socialsite.table import keys
from socialsite.table.actions import WriteAction
from socialsite.table.reading import query
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
    severity = severity_without(case, action_id if undone else "")
    reports = int(case.reports)
    back = [
        Case.queue.set(Queue.REPORTS),
        Case.severity.set(severity),
        Case.appealed.remove(),
        Case.appeals.remove(),
        *acted,
        *put_in_queue(case, partition_of(case, Queue.REPORTS), severity, reports, case.opened_at),
    ]
    return [change_case(case, back, by=by)]


def _step(others: Sequence[str], reports: int) -> Step:
    if others:
        return Step.ANSWER_ONE_OF_SEVERAL
    return Step.ANSWER_BEFORE_REPORTS if reports else Step.ANSWER

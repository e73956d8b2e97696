"""Changes of a case for the transactions of services: how it opens, waits in a queue, and closes.

An open case is in the sparse `escalatedIndex`, in the partition of its queue or of the moderator it is assigned to:
the most urgent first, then the oldest. Closing it removes it from the index. Every change needs the `version` that was
read. So the index holds exactly the open cases, and nobody decides a case they have not seen.

A case is as grave as the gravest rule that any of its reports names, or as the moderator who acted on it says. Many
reports cannot outvote one. Severities are the rules' as they were when reports came, so a rule that changes or goes
leaves open cases where they are.

`NEXT` says what may become of a case: its states, what is done to it, and where each step leads.
`tests/moderation/test_opened_cases.py` plays every row of it.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

from pynamodb.expressions.update import Action

from moderation.cases.reads import (
    CROWDS,
    CaseId,
    CaseMoved,
    id_of,
    is_free_for,
    partition_of,
    stand_of,
    waiting_in,
    widest,
)
from moderation.models import Case, CaseOutcome, ClosedCase, Queue
from socialsite.clock import utc_now_iso
from socialsite.site_settings.site_rules import rule_of
from socialsite.site_settings.site_setup import ALWAYS_URGENT, MINOR, SERIOUS
from socialsite.table import Change, Create, WriteAction, keys


class State(StrEnum):
    ABSENT = "absent"  # nobody ever reported the person, held the post or signed up
    OPEN = "open"  # waits in its queue or on a desk
    APPEALED = "appealed"  # waits for the answer to an appeal, whatever reports there are
    CLOSED = "closed"


class Step(StrEnum):
    REPORT = "report"  # by a person, or by the site
    DECIDE = "decide"
    DECIDE_AND_KEEP = "decide and keep open"
    APPEAL = "appeal"
    ANSWER_ONE_OF_SEVERAL = "answer one of several appeals"
    ANSWER_BEFORE_REPORTS = "answer the last appeal while reports wait"
    ANSWER = "answer the last appeal"
    UNDO_CLOSING = "undo the action that closed it"
    UNDO_EARLIER = "undo another action"
    LOSE_SUBJECT = "its post is deleted"


OPEN, APPEALED, CLOSED = State.OPEN, State.APPEALED, State.CLOSED
NEXT: dict[tuple[State, Step], State] = {
    (State.ABSENT, Step.REPORT): OPEN,
    (OPEN, Step.REPORT): OPEN,
    (OPEN, Step.DECIDE): CLOSED,
    (OPEN, Step.DECIDE_AND_KEEP): OPEN,
    (OPEN, Step.APPEAL): APPEALED,
    (OPEN, Step.UNDO_EARLIER): OPEN,
    (OPEN, Step.LOSE_SUBJECT): CLOSED,
    (APPEALED, Step.REPORT): APPEALED,
    (APPEALED, Step.DECIDE): APPEALED,  # the reports alone
    (APPEALED, Step.DECIDE_AND_KEEP): APPEALED,
    (APPEALED, Step.APPEAL): APPEALED,
    (APPEALED, Step.ANSWER_ONE_OF_SEVERAL): APPEALED,
    (APPEALED, Step.ANSWER_BEFORE_REPORTS): OPEN,
    (APPEALED, Step.ANSWER): CLOSED,
    (APPEALED, Step.UNDO_EARLIER): APPEALED,
    (APPEALED, Step.LOSE_SUBJECT): APPEALED,
    (CLOSED, Step.REPORT): OPEN,  # another round
    (CLOSED, Step.DECIDE): CLOSED,
    (CLOSED, Step.DECIDE_AND_KEEP): CLOSED,
    (CLOSED, Step.APPEAL): APPEALED,
    (CLOSED, Step.UNDO_CLOSING): OPEN,
    (CLOSED, Step.UNDO_EARLIER): CLOSED,
    (CLOSED, Step.LOSE_SUBJECT): CLOSED,
}


def state_of(case: Case | None) -> State:
    if case is None:
        return State.ABSENT
    if case.escalated_to is None:
        return State.CLOSED
    return State.APPEALED if case.appealed else State.OPEN


def after(case: Case | None, step: Step) -> State:
    """The state to which a step leads. Raises `KeyError` for a step that the state does not know."""
    return NEXT[state_of(case), step]


def is_noticed(case: Case) -> bool:
    """Whether people reported in this round, and not only the site itself for a word filter."""
    return int(case.reports) > (
        case.flagged_round is not None and int(case.flagged_round) == int(case.round)
    )


def name_of_report(severity: int, rules: Collection[str]) -> str:
    """Returns the name under which `Case.named` counts a report: the severity and the id of its rule, if it names
    one."""
    return f"{severity}{min(rules, default='')}"


def named_so_far(case: Case) -> dict[str, int]:
    """Returns how many people name each rule in this round. Reports of cases that are older than the count are taken
    to be as grave as the case is."""
    if case.named is not None:
        return {name: int(reports) for name, reports in case.named.as_dict().items()}
    return {str(int(case.severity)): int(case.reports)} if case.reports else {}


def severity_named(named: Mapping[str, int], *, otherwise: int) -> int:
    """Returns the severity of the gravest rule that is named."""
    return min((int(name[0]) for name in named), default=otherwise)


def begin_case(
    case_id: CaseId,
    *,
    person_id: str,
    queue: Queue,
    severity: int,
    reports: int = 0,
    rules: Collection[str] = (),
    languages: Collection[str] = (),
    opened_at: str = "",
    line: str = "",
    reach: int | None = None,
    quiet: bool = False,
) -> Create:
    """Returns the action that opens a case for the first time, `quiet` where no queue lists it."""
    now = opened_at or utc_now_iso()
    stand = stand_of(reports, reach)
    place = keys.queue_place(severity, stand, now, case_id.kind, case_id.subject_id)
    case = Case(
        *case_id.key,
        kind=case_id.kind,
        subject_id=case_id.subject_id,
        person_id=person_id,
        queue=queue,
        severity=severity,
        opened_at=now,
        reports=reports,
        rules=set(rules) or None,
        named={name_of_report(severity, rules): reports} if reports else None,
        languages=set(languages) or None,
        line=line or None,
        reach=reach,
        escalated_to=keys.quiet_queue() if quiet else keys.queue(queue),
        escalated_at=place,
        quiet="yes" if quiet else None,
    )
    return Create(case, otherwise=CaseMoved)


def join_case(
    case: Case,
    *,
    queue: Queue,
    severity: int = MINOR,
    reports: int = 0,
    names: bool = False,
    rules: Collection[str] = (),
    languages: Collection[str] = (),
    appealed: str = "",
    line: str = "",
    reach: int | None = None,
    quiet: bool = False,
) -> Change:
    """Adds to an open case, or opens a closed one again for another round. Appeals come before reports, and wait in
    their queue for anyone, or among what seniors were asked. The severity is that of the gravest rule that reports
    name; `names` says that someone names a rule, with a report that counts or with more to it. `line` and `reach` as
    the case keeps them: the first line of a round, and the widest reach. A `quiet` one leaves a case that no queue
    lists where it is, and opens a closed one there; any other puts it into the queue."""
    before, then = state_of(case), after(case, Step.APPEAL if appealed else Step.REPORT)
    was_open = before is not State.CLOSED
    named = named_so_far(case) if was_open else {}
    name = name_of_report(severity, rules) if names else ""
    if name:
        named[name] = named.get(name, 0) + 1
    severity = severity_named(named, otherwise=severity)
    if was_open and case.acted and not ALWAYS_URGENT.intersection(rules):
        severity = int(case.severity)  # a moderator has seen what it is about
    if then is State.APPEALED:
        severity = min(severity, SERIOUS)
    reach = widest(reach, case.reach if was_open else None)
    quiet = quiet and (not was_open or bool(case.quiet))
    stays = was_open and not appealed and quiet == bool(case.quiet)
    stays &= severity == int(case.severity) and _stays(case, reports, reach)
    if stays and (not name or case.named is not None):
        return _added(case, reports, name, rules, languages, line)
    opened_at = case.opened_at if was_open else utc_now_iso()
    if was_open:
        reports += int(case.reports)
        rules = {*rules, *(case.rules or ())}
        languages = {*languages, *(case.languages or ())}
    queue = Queue.APPEALS if then is State.APPEALED else queue
    if case.assigned_to and not appealed:
        partition = keys.desk(case.assigned_to)
    else:
        partition = keys.quiet_queue() if quiet else waiting_in(case, queue)
    line = (was_open and case.line) or line
    actions = [
        Case.queue.set(queue),
        Case.line.set(line) if line else Case.line.remove(),
        Case.reach.set(reach) if reach is not None else Case.reach.remove(),
        Case.severity.set(severity),
        Case.opened_at.set(opened_at),
        Case.reports.set(reports),
        Case.rules.set(set(rules)) if rules else Case.rules.remove(),
        Case.named.set(named) if named else Case.named.remove(),
        Case.languages.set(set(languages)) if languages else Case.languages.remove(),
        Case.round.set(int(case.round) + (not was_open)),
        Case.acted.set(case.acted) if was_open and case.acted else Case.acted.remove(),
        Case.closed_at.remove(),
        Case.decision.remove(),
        Case.quiet.set("yes") if quiet else Case.quiet.remove(),
        *put_in_queue(case, partition, severity, reports, opened_at, reach=reach),
    ]
    if not was_open:
        actions.append(Case.steps_done.remove())
    if appealed:
        actions += [
            Case.appealed.set(appealed),
            Case.appeals.set(int(case.appeals or bool(case.appealed)) + 1),
            Case.assigned_to.remove(),
            Case.claimed_by.remove(),
            Case.claimed_until.remove(),
        ]
    return change_case(case, actions)


def _stays(case: Case, reports: int, reach: float | None) -> bool:
    """Whether the case stays in its place with this many more reports."""
    before, had = int(case.reports), case.reach
    if reach != had:
        return False
    return stand_of(before + reports, had) == stand_of(before, had)


def _added(
    case: Case,
    reports: int,
    name: str,
    rules: Collection[str],
    languages: Collection[str],
    line: str,
) -> Change:
    """Adds reports that leave an open case in its place. It needs the same place and not the same version, so that very
    many people can report someone at once."""
    actions: list[Action] = [Case.reports.add(reports), Case.version.add(1)]
    if rules:
        actions.append(Case.rules.add(set(rules)))
    if languages:
        actions.append(Case.languages.add(set(languages)))
    if line and not case.line:
        actions.append(Case.line.set(line))
    as_read = (
        (Case.round == int(case.round))
        & (Case.escalated_to == case.escalated_to)
        & (Case.escalated_at == case.escalated_at)
        & (Case.severity == int(case.severity))
    )
    if name:
        counted: Any = Case.named[name]
        actions.append(counted.set((counted | 0) + 1))
    before = int(case.reports)
    if above := stand_of(before, case.reach):
        as_read &= Case.reports < CROWDS[above - 1] - reports
    return Change(Case, id_of(case).key, actions, as_read, CaseMoved)


UNCHANGED = -1


def put_in_queue(
    case: Case,
    partition: str,
    severity: int,
    reports: int,
    opened_at: str,
    *,
    reach: float | None = UNCHANGED,
) -> list[Action]:
    stand = stand_of(reports, case.reach if reach == UNCHANGED else reach)
    place = keys.queue_place(severity, stand, opened_at, case.kind, case.subject_id)
    return [Case.escalated_to.set(partition), Case.escalated_at.set(place)]


def lay_on_desk(moderator_id: str, *, otherwise: str) -> list[Action]:
    """Returns the changes that put an open case on someone's desk, or with nobody into the partition where it waits.
    Staff have seen it, so it is quiet no more, and nobody reviews it any longer."""
    return [
        Case.escalated_to.set(keys.desk(moderator_id) if moderator_id else otherwise),
        Case.assigned_to.set(moderator_id) if moderator_id else Case.assigned_to.remove(),
        Case.quiet.remove(),
        Case.claimed_by.remove(),
        Case.claimed_until.remove(),
    ]


def change_case(case: Case, actions: Collection[Action], *, by: str = "") -> Change:
    """Returns a change of the case on condition that it is as it was read. With `by`, nobody else may be reviewing
    it."""
    condition = Case.version == int(case.version)
    if by:
        condition &= is_free_for(by)
    raised = [*actions, Case.version.set(int(case.version) + 1)]
    return Change(Case, id_of(case).key, raised, condition, CaseMoved)


def corrected(case: Case, rule_id: str) -> list[Action]:
    """Returns the change of an open case's severity to that of the rule that a moderator names, whatever its reports
    said; none without a rule. While an appeal waits, the case is at least serious."""
    if not rule_id:
        return []
    return as_grave_as(case, rule_of(rule_id).severity)


def as_grave_as(case: Case, severity: int) -> list[Action]:
    """Returns the change of an open case's severity and of its place in the queue or on the desk where it is; none if
    it is so already."""
    if case.appealed:
        severity = min(severity, SERIOUS)
    if severity == int(case.severity):
        return []
    reports, opened_at = int(case.reports), case.opened_at
    _, place = put_in_queue(case, str(case.escalated_to), severity, reports, opened_at)
    return [Case.severity.set(severity), place]


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
        Case.raised.remove(),
        Case.quiet.remove(),
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

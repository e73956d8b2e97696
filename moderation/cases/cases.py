"""Cases as services read and write them: their keys, and how they open and wait in a queue. `closing.py` closes them.

An open case is in the sparse `escalatedIndex`, in the partition of its queue or of the moderator it is assigned to: the
most urgent first, then the oldest. Closing it removes it from the index. Every change needs the `version` that was
read. So the index holds exactly the open cases, and nobody decides a case they have not seen.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from moderation.cases.lists.severity import name_of_report, named_so_far, severity_named
from moderation.cases.states import State, Step, after, state_of
from moderation.models import Case, CaseKind, Queue
from socialsite.clock import utc_now_iso
from socialsite.site.default_rules import MINOR, SERIOUS
from socialsite.table import keys, reading
from socialsite.table.actions import Change, Create
from socialsite.table.errors import Conflict
from socialsite.table.keys import Key

FIRST_QUEUES = {
    CaseKind.PERSON: Queue.REPORTS,
    CaseKind.POST: Queue.HELD,
    CaseKind.SIGN_UP: Queue.SIGN_UPS,
}
CROWDS = (100, 25, 10, 5, 2)  # so many reporters go before fewer within a severity


class CaseMoved(Conflict):
    """The case has changed since it was read, or someone else is reviewing it."""


@dataclass(frozen=True, slots=True)
class CaseId:
    """The id of a case: its kind, and what it is about."""

    kind: CaseKind
    subject_id: str

    @property
    def key(self) -> Key:
        return keys.case(self.kind, self.subject_id)

    @property
    def url(self) -> str:
        return f"/moderation/cases/{self.kind}/{self.subject_id}"

    def __str__(self) -> str:
        return f"{self.kind}-{self.subject_id}"


def read_case(case_id: CaseId) -> Case:
    """Returns the case. One consistent GetItem, 1 read unit. Raises `NotFound`."""
    return reading.get(Case, case_id.key, consistent=True)


def id_of(case: Case) -> CaseId:
    return CaseId(CaseKind(case.kind), case.subject_id)


def is_open(case: Case) -> bool:
    return case.escalated_to is not None


def is_kept_only(case: Case) -> bool:
    """Whether the person was erased. What is left of the case has an end, and nothing can be done to them."""
    return case.ttl is not None


def crowd_of(reports: int) -> int:
    """Returns where so many reporters stand within a severity, 0 to 5, the lowest for the most. They never make a case
    graver than the rules that they name."""
    return next((step for step, many in enumerate(CROWDS) if reports >= many), len(CROWDS))


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
) -> Create:
    """Returns the action that opens a case for the first time."""
    now = opened_at or utc_now_iso()
    place = keys.queue_place(severity, crowd_of(reports), now, case_id.kind, case_id.subject_id)
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
        escalated_to=keys.queue(queue),
        escalated_at=place,
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
) -> Change:
    """Adds to an open case, or opens a closed one again for another round. Appeals come before reports, and wait in
    their queue for anyone. The severity is that of the gravest rule that reports name (`lists/severity.py`); `names`
    says that someone names a rule, with a report that counts or with more to it."""
    before, then = state_of(case), after(case, Step.APPEAL if appealed else Step.REPORT)
    was_open = before is not State.CLOSED
    named = named_so_far(case) if was_open else {}
    name = name_of_report(severity, rules) if names else ""
    if name:
        named[name] = named.get(name, 0) + 1
    severity = severity_named(named, otherwise=severity)
    if was_open and case.acted:
        severity = int(case.severity)  # a moderator has seen what it is about
    if then is State.APPEALED:
        severity = min(severity, SERIOUS)
    stays = was_open and not appealed and severity == int(case.severity) and _stays(case, reports)
    if stays and (not name or case.named is not None):
        return _added(case, reports, name, rules, languages)
    opened_at = case.opened_at if was_open else utc_now_iso()
    if was_open:
        reports += int(case.reports)
        rules = {*rules, *(case.rules or ())}
        languages = {*languages, *(case.languages or ())}
    queue = Queue.APPEALS if then is State.APPEALED else queue
    partition = keys.queue(queue) if appealed else partition_of(case, queue)
    actions = [
        Case.queue.set(queue),
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
        *put_in_queue(case, partition, severity, reports, opened_at),
    ]
    if appealed:
        actions += [
            Case.appealed.set(appealed),
            Case.appeals.set(int(case.appeals or bool(case.appealed)) + 1),
            Case.assigned_to.remove(),
            Case.claimed_by.remove(),
            Case.claimed_until.remove(),
        ]
    return change_case(case, actions)


def _stays(case: Case, reports: int) -> bool:
    """Whether the case stays in its place with this many more reports."""
    before = int(case.reports)
    return crowd_of(before + reports) == crowd_of(before)


def _added(
    case: Case, reports: int, name: str, rules: Collection[str], languages: Collection[str]
) -> Change:
    """Adds reports that leave an open case in its place. It needs the same place and not the same version, so that very
    many people can report someone at once."""
    actions = [Case.reports.add(reports), Case.version.add(1)]
    if rules:
        actions.append(Case.rules.add(set(rules)))
    if languages:
        actions.append(Case.languages.add(set(languages)))
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
    if above := crowd_of(before):
        as_read &= Case.reports < CROWDS[above - 1] - reports
    return Change(Case, id_of(case).key, actions, as_read, CaseMoved)


def partition_of(case: Case, queue: str) -> str:
    """Returns the index partition of an open case: the moderator's it is assigned to, otherwise its queue's."""
    return keys.desk(case.assigned_to) if case.assigned_to else keys.queue(queue)


def put_in_queue(
    case: Case, partition: str, severity: int, reports: int, opened_at: str
) -> list[Action]:
    place = keys.queue_place(severity, crowd_of(reports), opened_at, case.kind, case.subject_id)
    return [Case.escalated_to.set(partition), Case.escalated_at.set(place)]


def change_case(case: Case, actions: Collection[Action], *, by: str = "") -> Change:
    """Returns a change of the case on condition that it is as it was read. With `by`, nobody else may be reviewing
    it."""
    condition = Case.version == int(case.version)
    if by:
        condition &= is_free_for(by)
    raised = [*actions, Case.version.set(int(case.version) + 1)]
    return Change(Case, id_of(case).key, raised, condition, CaseMoved)


def is_free_for(moderator_id: str) -> Condition:
    """Whether this moderator can review the case: nobody else does, or their review has lapsed."""
    return (
        Case.claimed_by.does_not_exist()
        | (Case.claimed_by == moderator_id)
        | (Case.claimed_until < utc_now_iso())
    )


def is_looked_at_by_another(case: Case, moderator_id: str) -> bool:
    until = case.claimed_until or ""
    return case.claimed_by not in (None, moderator_id) and until >= utc_now_iso()

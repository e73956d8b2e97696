"""What must always hold for cases, reports and strikes."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from accounts.models import UserInfo
from accounts.permissions import BUILT_IN
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import crowd_of, is_open, partition_of
from moderation.cases.kept.sayings import rules_said
from moderation.cases.lists.severity import named_so_far
from moderation.cases.services.decide import WITH_NOTICE
from moderation.cases.services.report import THE_SITE
from moderation.models import (
    WITHOUT_EFFECT,
    ActionKind,
    Appeal,
    Case,
    CaseAction,
    CaseKind,
    CaseOutcome,
    CaseReport,
    ClosedCase,
    ReportTrace,
    Strike,
)
from socialsite.clock import utc_now
from socialsite.models import Role
from socialsite.site.default_rules import URGENT
from socialsite.table import keys
from socialsite.table.item import Item
from socialsite.table.keys import Key

I = TypeVar("I", bound=Item)  # noqa: E741

KEPT = (UserInfo, Role, Case, CaseAction, CaseOutcome, CaseReport, ClosedCase, ReportTrace, Strike)


@dataclass
class CaseInvariants:
    """The items by class and key."""

    found: dict[type[Item], dict[Key, Any]] = field(
        default_factory=lambda: {model: {} for model in KEPT}
    )

    def add(self, item: Item) -> None:
        if item.ttl and item.ttl <= utc_now():
            return  # kept for a term after its person was erased; TTL deletes the parts one after the other
        if isinstance(item, UserInfo) and not item.role:
            return
        if type(item) in self.found:
            self.found[type(item)][item.key] = item

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        rules: dict[str, Callable[[], Iterator[str]]] = {
            "open cases stand in the index where they belong, closed ones nowhere": self._places,
            "no open case lies on the desk of someone without its permission": self._desks,
            "closed cases have an outcome and are listed": self._closings,
            "cases count their reports": self._counts,
            "every report has its trace": self._traces,
            "every strike has its action, and every action of which people are told its strike": (
                self._strikes
            ),
            "appeals that are open wait in the queue": self._appeals,
            "outcomes name an action that stands, or say that it was undone": self._outcomes,
            "a case that was left open after an action names one that stands": self._acted,
        }
        return {rule: sorted(broken()) for rule, broken in rules.items()}

    def _all(self, model: type[I]) -> list[I]:
        return list(self.found[model].values())

    def _places(self) -> Iterator[str]:
        for case in self._all(Case):
            place = case.escalated_to, case.escalated_at
            if place not in (_places(case) if is_open(case) else [(None, None)]):
                yield f"{case.pk}: {place}"
            unlooked = (case.claimed_by, case.claimed_until, case.assigned_to, case.appealed)
            if is_open(case) == bool(case.closed_at) or (not is_open(case) and any(unlooked)):
                yield f"{case.pk}: open and closed at once"

    def _desks(self) -> Iterator[str]:
        own = {role.name: set(role.permissions) for role in self._all(Role)}
        holders = {info.user_id: str(info.role) for info in self._all(UserInfo)}
        for case in self._all(Case):
            role = holders.get(case.assigned_to or "", "")
            permissions = BUILT_IN.get(role, own.get(role, set()))
            if case.assigned_to and permission_for(CaseKind(case.kind)) not in permissions:
                yield f"{case.pk}: {case.assigned_to}"

    def _closings(self) -> Iterator[str]:
        for case in self._all(Case):
            if is_open(case):
                continue
            parts = case.kind, case.subject_id
            outcome = keys.case_outcome(*parts, int(case.round))
            at = str(case.closed_at)
            if outcome not in self.found[CaseOutcome]:
                yield f"{case.pk}: no outcome of round {case.round}"
            if keys.closed_case(at[:7], at, *parts) not in self.found[ClosedCase]:
                yield f"{case.pk}: not among the closed"

    def _outcomes(self) -> Iterator[str]:
        actions = {(action.pk, action.action_id): action for action in self._all(CaseAction)}
        for outcome in self._all(CaseOutcome):
            action = actions.get((outcome.pk, outcome.action_id))
            if outcome.decision not in set(ActionKind) or not outcome.action_id:
                continue  # the answer to an appeal, or from before outcomes named their action
            if action is None or bool(action.undone_at) != bool(outcome.undone_at):
                yield f"{outcome.pk}, round {outcome.round}: {outcome.action_id}"
        for case in self._all(Case):
            at = str(case.closed_at)
            told = self.found[CaseOutcome].get(
                keys.case_outcome(case.kind, case.subject_id, int(case.round))
            )
            listed = self.found[ClosedCase].get(
                keys.closed_case(at[:7], at, case.kind, case.subject_id)
            )
            if told and listed and _said(told) != _said(listed):
                yield f"{case.pk}: listed as {_said(listed)}, told as {_said(told)}"

    def _acted(self) -> Iterator[str]:
        standing = {
            (action.pk, action.kind)
            for action in self._all(CaseAction)
            if not action.undone_at and action.kind not in WITHOUT_EFFECT
        }
        for case in self._all(Case):
            if is_open(case) and case.acted and (case.pk, case.acted) not in standing:
                yield f"{case.pk}: {case.acted}"

    def _counts(self) -> Iterator[str]:
        rounds, named = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
        for report in self._all(CaseReport):
            rounds[report.pk, int(report.round)] += 1
            named[report.pk, int(report.round)] += len(rules_said(report))
        for case in self._all(Case):
            this = case.pk, int(case.round)
            counted = rounds[this]
            if int(case.reports) != counted:
                yield f"{case.pk}: {case.reports}, {counted} counted"
            if case.named is not None and sum(named_so_far(case).values()) != named[this]:
                yield f"{case.pk}: rules named {case.named.as_dict()}, {named[this]} counted"

    def _traces(self) -> Iterator[str]:
        reports = {
            (report.key, int(report.round))
            for report in self._all(CaseReport)
            if report.reporter_id != THE_SITE
        }
        traces = {
            (keys.case_report(trace.kind, trace.subject_id, trace.user_id), int(trace.round))
            for trace in self._all(ReportTrace)
        }
        yield from (f"{key.pk} / {key.sk}, round {number}" for key, number in reports ^ traces)

    def _strikes(self) -> Iterator[str]:
        told = {
            (action.key, action.undone_at)
            for action in self._all(CaseAction)
            if ActionKind(action.kind) in WITH_NOTICE
        }
        strikes = {(_action_key(strike), strike.undone_at) for strike in self._all(Strike)}
        yield from (f"{key.pk} / {key.sk}, undone {undone}" for key, undone in told ^ strikes)

    def _appeals(self) -> Iterator[str]:
        waiting = {
            (keys.case(strike.case_kind, strike.subject_id), strike.action_id)
            for strike in self._all(Strike)
            if strike.appeal == Appeal.OPEN
        }
        named = {(case.key, case.appealed) for case in self._all(Case) if case.appealed}
        yield from (f"{key.pk}: {action} is not open" for key, action in named - waiting)
        number = Counter(key for key, _ in waiting)
        for case in self._all(Case):
            if case.appeals and int(case.appeals) != number[case.key]:
                yield f"{case.pk}: {case.appeals} appeals, {number[case.key]} wait"
        cases = {key for key, _ in named}
        yield from (f"{key.pk}: {action} waits" for key, action in waiting if key not in cases)


def _said(outcome: CaseOutcome | ClosedCase) -> tuple[str, bool]:
    return outcome.decision, bool(outcome.undone_at)


def _places(case: Case) -> list[tuple[str, str]]:
    """Returns the places an open case may have: by its severity and its reporters, or one from before, when many
    reports made a case graver than its rules."""
    severity, partition = int(case.severity), partition_of(case, case.queue)
    last = case.opened_at, case.kind, case.subject_id
    places = [keys.queue_place(severity, crowd_of(int(case.reports)), *last)]
    places += [keys.earlier_queue_place(one, *last) for one in range(URGENT, severity + 1)]
    return [(partition, place) for place in places]


def _action_key(strike: Strike) -> Key:
    return keys.case_action(strike.case_kind, strike.subject_id, strike.action_id)

"""What must always hold for cases, reports, strikes, reported photos, lists of people, waves and the counts of what
waits; and what `reconcile` mends of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

from accounts.models import UserInfo
from accounts.permissions import BUILT_IN, JUNIOR
from moderation.cases.changes import change_case, named_so_far, put_in_queue, severity_named
from moderation.cases.effects import WITH_NOTICE
from moderation.cases.evidence import rules_said
from moderation.cases.photos import names_of
from moderation.cases.reads import (
    THE_SITE,
    CaseMoved,
    id_of,
    is_open,
    partition_of,
    permission_for,
    read_case,
    stand_of,
    waits_in,
)
from moderation.items.models import Wave
from moderation.models import (
    WITHOUT_EFFECT,
    ActionKind,
    Appeal,
    Case,
    CaseAction,
    CaseEvidence,
    CaseKind,
    CaseOutcome,
    CasePhoto,
    CaseReport,
    ClosedCase,
    Keeping,
    MessageEvidence,
    PersonEntry,
    ProfileEvidence,
    Queue,
    ReportTrace,
    Strike,
    WaitingCount,
    WaveState,
)
from moderation.people.reads import entries_of
from moderation.staff.waiting import COUNT, EVERYTHING, MOST_COUNTED
from photos.files import list_copies, list_people_with_copies
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.invariants import must_hold
from socialsite.models import Role, Staff
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import (
    Item,
    Key,
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    fetch,
    key_of,
    keys,
    row,
    transact,
    write_batch,
    write_optimistically,
)

I = TypeVar("I", bound=Item)  # noqa: E741

KEPT = (UserInfo, Role, Case, CaseAction, CaseOutcome, CaseReport, ClosedCase, ReportTrace, Strike)


@must_hold
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
            reviewed = case.claimed_by, case.claimed_until
            unlooked = (*reviewed, case.assigned_to, case.appealed, case.raised)
            if is_open(case) == bool(case.closed_at) or (not is_open(case) and any(unlooked)):
                yield f"{case.pk}: open and closed at once"

    def _desks(self) -> Iterator[str]:
        own = {role.name: set(role.permissions) for role in self._all(Role)}
        holders = {info.user_id: str(info.role) for info in self._all(UserInfo)}
        for case in self._all(Case):
            role = holders.get(case.assigned_to or "", "")
            permissions = BUILT_IN.get(role, own.get(role, set()))
            lacks = permission_for(CaseKind(case.kind)) not in permissions
            if case.assigned_to and (lacks or (role == JUNIOR and case.raised)):
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
    places = [keys.queue_place(severity, stand_of(int(case.reports), case.reach), *last)]
    places += [keys.earlier_queue_place(one, *last) for one in range(URGENT, severity + 1)]
    return [(partition, place) for place in places]


def _action_key(strike: Strike) -> Key:
    return keys.case_action(strike.case_kind, strike.subject_id, strike.action_id)


@must_hold
@dataclass
class CasePhotoInvariants:
    """Give it every item with `add`, then ask for `results`, which lists the files."""

    photos: dict[str, CasePhoto] = field(default_factory=dict)
    subjects: set[tuple[str, str]] = field(
        default_factory=set
    )  # posts, messages, pictures of profiles

    def add(self, item: Item) -> None:
        if isinstance(item, CasePhoto):
            self.photos |= dict.fromkeys(names_of(item), item)
        elif isinstance(item, CaseEvidence):
            self.subjects.add((item.pk, item.post_id))
        elif isinstance(item, MessageEvidence) and item.reported:
            self.subjects.add((item.pk, item.message_id))
        elif isinstance(item, ProfileEvidence):
            self.subjects |= {(item.pk, name) for name in (item.avatar, item.header) if name}

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant. A listing of people, and one for each of them."""
        files = {name for person in list_people_with_copies() for name in list_copies(person)}
        kept = {name for name, one in self.photos.items() if one.state == Keeping.KEPT}
        about = {
            name: one.source if one.part else one.post_id or one.message_id
            for name, one in self.photos.items()
        }
        alone = [
            one
            for name, one in self.photos.items()
            if about[name] and (one.pk, about[name]) not in self.subjects  # or the site found it
        ]
        return {
            "every reported photo that was kept has its file": _photo_places(
                self.photos[name] for name in kept - files
            ),
            "no file of a reported photo is without its item": sorted(
                name.rpartition(".")[0] for name in files - self.photos.keys()
            ),
            "every reported photo belongs to a post, a message or a profile that was kept": _photo_places(
                one for one in alone if not one.ttl
            ),
        }


def _photo_places(photos: Iterable[CasePhoto]) -> list[str]:
    return sorted({f"{one.pk} / {one.sk}" for one in photos})


@must_hold
@dataclass
class WaitingInvariants:
    """The open cases by place, the counts, and the places that the clock will count again."""

    opened: dict[str, list[str]] = field(default_factory=dict)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    counts: dict[str, WaitingCount] = field(default_factory=dict)
    planned: set[str] = field(default_factory=set)
    staff: set[str] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case Case() if item.escalated_to and (
                item.assigned_to or item.raised or not item.quiet
            ):
                place = item.assigned_to or waits_in(item)
                self.opened.setdefault(place, []).append(item.opened_at)
                self.kinds.setdefault(place, Counter())[item.kind] += 1
            case WaitingCount():
                self.counts[item.place] = item
            case Due() if item.kind == COUNT:
                self.planned.add(item.subject)
            case Staff():
                self.staff.add(item.user_id)

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of the invariant. Nothing is wrong before the queues are counted for the first time,
        because pages then count themselves."""
        rule = "queues and desks are counted as their cases are, where no count is planned"
        is_counted = self.counts.keys() >= set(Queue) and EVERYTHING not in self.planned
        return {rule: sorted(self._wrong()) if is_counted else []}

    def _wrong(self) -> Iterator[str]:
        for place in (self.counts.keys() | self.opened.keys() | self.staff) - self.planned:
            opened, count = sorted(self.opened.get(place, ())), self.counts.get(place)
            if count is None:
                yield f"{place}: {len(opened)} cases and no count"
                continue
            found = int(count.cases), count.has_more, count.oldest or ""
            right = (
                min(len(opened), MOST_COUNTED),
                len(opened) > MOST_COUNTED,
                opened[0] if opened else "",
            )
            if found != right:
                yield f"{place}: {found}, {right} counted"
            kinds = self.kinds.get(place, Counter())
            if not count.has_more and count.kinds != kinds:
                yield f"{place}: {count.kinds}, {dict(kinds)} counted"
            if not opened and place not in {*Queue, *self.staff}:
                yield f"{place}: counted for nobody"


ENDED = {WaveState.DONE, WaveState.UNDOING, WaveState.UNDONE}


@must_hold
@dataclass
class WaveInvariants:
    """Give it every item with `add`, then ask for `results`."""

    wrong: list[str] = field(default_factory=list)

    def add(self, item: Item) -> None:
        if isinstance(item, Wave) and not _is_right(item):
            self.wrong.append(f"{item.pk} / {item.sk}")

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        return {"a wave has dealt with each of its cases once": sorted(self.wrong)}


def _is_right(wave: Wave) -> bool:
    seen, total = int(wave.done) + int(wave.skipped), int(wave.total)
    if wave.state == WaveState.DRAFT:
        return seen == 0
    is_whole = seen == total if wave.state in ENDED else seen <= total
    return is_whole and int(wave.undone) <= int(wave.done)


@must_hold
@dataclass
class PeopleListInvariants:
    """The entries that are there, and those that the infos ask for, without what TTL deletes."""

    entries: set[Key] = field(default_factory=set)
    wanted: set[Key] = field(default_factory=set)

    def add(self, item: Item) -> None:
        match item:
            case PersonEntry() if not _has_ended(item):
                self.entries.add(item.key)
            case UserInfo():
                asked = entries_of(item)
                self.wanted |= {entry.key for entry in asked if not _has_ended(entry)}

    def results(self) -> dict[str, list[str]]:
        """Returns the violations of each invariant."""
        wrong = self.entries ^ self.wanted
        rule = "staff find everyone among the new people, and the restricted among the restricted"
        return {rule: sorted(f"{pk} / {sk}" for pk, sk in wrong)}


def _has_ended(entry: Item) -> bool:
    return entry.ttl is not None and entry.ttl <= utc_now()


def mend_entries(infos: Iterable[RawItem], entries: Sequence[RawItem]) -> None:
    """Adds the missing entries of these people, and deletes entries to which nobody has a right any more.

    Consistent BatchGetItems of the entries and of their people, 1 read unit each. If a person changes meanwhile, the
    stream brings that later.
    """
    wanted = {entry.key: entry for raw in infos for entry in entries_of(row(UserInfo, raw))}
    present = fetch(wanted, consistent=True)
    owners = [keys.user_info(row(PersonEntry, raw).user_id) for raw in entries]
    found = fetch(owners, consistent=True)
    theirs = (row(UserInfo, raw) for raw in found.values())
    rightful = {entry.key for info in theirs for entry in entries_of(info)}
    write_batch(
        puts=[entry for key, entry in wanted.items() if key not in present],
        deletes=[key_of(raw) for raw in entries if key_of(raw) not in rightful],
    )


@access_pattern
def mend_severity(raw: RawItem) -> None:
    """Makes an open case as grave as its gravest report, unless a moderator said how grave it is. Safe to repeat. Costs
    nothing for a case that is, otherwise one consistent GetItem and one TransactWriteItems, 3 write units. In all 3
    write units and 1 read unit."""

    def attempt() -> None:
        case = read_case(id_of(stored))
        if lifted := _lifted(case):
            place = partition_of(case, case.queue), lifted, int(case.reports), case.opened_at
            transact(change_case(case, [Case.severity.set(lifted), *put_in_queue(case, *place)]))

    stored = as_model(Case, raw)
    if _lifted(stored):
        with suppress(NotFound, CaseMoved):
            write_optimistically(attempt, moved=CaseMoved)


def _lifted(case: Case) -> int:
    """Returns how grave the case should be, 0 for one that is as grave."""
    if not is_open(case) or case.acted:
        return 0
    severity = severity_named(named_so_far(case), otherwise=int(case.severity))
    return severity if severity < int(case.severity) else 0

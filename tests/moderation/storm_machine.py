"""Cases under waves, undone waves, legal holds, erasures, appeals and undo, in any order. Nothing is foretold here:
after the worker and the clock have done what there is to do, all that must hold is looked for in the table."""

from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from accounts.models import UserInfo
from accounts.people.restrictions import UNTIL
from accounts.people.viewer import Viewer
from feed.posts.models import Post, Withheld
from feed.publishing.writes import delete_post
from moderation.bulk_decisions.reads import WaveDecision, WaveMoved
from moderation.bulk_decisions.writes import make_wave, start_wave, undo_wave
from moderation.cases.decisions import Decision, IsStaff, NothingToActOn, decide_case
from moderation.cases.effects import RESTRICTIONS, undo_action
from moderation.cases.reads import CaseId, CaseMoved, Outranked, OwnCase, read_case
from moderation.cases.writes import AlreadyAnswered, OwnDecision, answer_appeal, appeal
from moderation.figures import names
from moderation.figures.checks import PastFigures
from moderation.figures.reads import get_counts
from moderation.log.chain import Walk
from moderation.models import ActionKind, AuditEntry, Case, CaseAction, CaseKind, Strike
from moderation.reports.writes import file_report
from moderation.suspicions.reads import Target
from privacy.erasure.writes import AlreadyClosing, close_account
from privacy.holds.writes import Target as HoldTarget
from privacy.holds.writes import ThereAlready, ask_hold, confirm_hold, get_hold, release_hold
from socialsite import keys
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import Item, NotFound, RawItem, as_model, get
from socialsite.table.reading import scan
from tests.conftest import person, post
from tests.looks import drain
from tests.moderation.cases import broken, held_post

PEOPLE, STAFF = ("alice", "bob", "carol", "dora", "emma"), ("moddy", "mei")
KINDS = (
    ActionKind.DISMISS,
    ActionKind.CLOSE,
    ActionKind.WARN,
    ActionKind.HIDE,
    ActionKind.LIMIT,
    ActionKind.SUSPEND,
)
IN_WAVES = (ActionKind.DISMISS, ActionKind.LIMIT, ActionKind.SUSPEND, ActionKind.HIDE)
OF_POSTS = (ActionKind.RELEASE, ActionKind.REFUSE)
ACCOUNT, TERM = "account", timedelta(days=30)
MOST_POSTS, MOST_WAVES, MOST_ERASED = 14, 4, 3
REFUSALS = (CaseMoved, NotFound, NothingToActOn, IsStaff, OwnCase, Outranked)
# Each record of these is there as long as the cases are, so that the counts can be compared with them.
COMPARED = (names.ACTIONS, names.TAKEN_BACK, names.APPEALS, names.GRANTED, names.REFUSED)


class Storm(RuleBasedStateMachine):
    """`new_table` is set by the test: it makes an empty table and forgets the last."""

    new_table: Any = None
    steps_taken = 0

    people = st.integers(0, len(PEOPLE) - 1)
    staff_number = st.integers(0, len(STAFF) - 1)
    numbers = st.integers(0, 99)

    def __init__(self) -> None:
        super().__init__()
        type(self).new_table()
        self.worker = Worker()

    @initialize()
    def some_are_here(self) -> None:
        self.cast = [person(name) for name in PEOPLE]
        self.staff = [person(name, role="moderator") for name in STAFF]
        self.posts: list[tuple[str, str]] = []  # author and id, of posts that are there
        self.actions: list[tuple[CaseId, str]] = []
        self.waves: list[str] = []
        self.gone: set[str] = set()
        self.held: set[str] = set()
        for number in range(
            len(PEOPLE)
        ):  # a day has begun: something waits, and something was done
            self.publish(number, is_held=number == 1)
        for number in (0, 2, 3):
            self.report(4, number, 3, 1)
        drain(self.worker)
        self.decide(0, 0, KINDS.index(ActionKind.LIMIT), keep=False)

    def teardown(self) -> None:
        self.everything_is_done_and_everything_holds()

    # What people do

    @precondition(lambda self: len(self.posts) < MOST_POSTS)
    @rule(number=people, is_held=st.booleans())
    def publish(self, number: int, is_held: bool) -> None:
        author = self.cast[number]
        if author.user_id not in self.gone:
            post_id = held_post(author) if is_held else post(author)
            self.posts.append((author.user_id, post_id))

    @precondition(lambda self: self.posts)
    @rule(number=numbers)
    def delete(self, number: int) -> None:
        author_id, post_id = self.posts.pop(number % len(self.posts))
        with suppress(NotFound):
            delete_post(by=Viewer(author_id), post_id=post_id)

    @rule(by=people, number=people, severity=st.integers(1, 3), which=numbers)
    def report(self, by: int, number: int, severity: int, which: int) -> None:
        reporter, person_id = self.cast[by], self.cast[number].user_id
        theirs = ["", *(post_id for author, post_id in self.posts if author == person_id)]
        post_id = theirs[which % len(theirs)]
        if by != number and reporter.user_id not in self.gone:
            with suppress(NotFound):
                file_report(by=reporter, person_id=person_id, post_id=post_id, severity=severity)

    @rule(number=people)
    def all_report_one(self, number: int) -> None:
        for by in range(len(PEOPLE)):
            self.report(by, number, 3, 0)

    @precondition(lambda self: self.actions)
    @rule(number=numbers)
    def appeal(self, number: int) -> None:
        case_id, action_id = self._action(number)
        with suppress(AlreadyAnswered, NotFound):
            person_id = read_case(case_id).person_id
            if person_id not in self.gone:
                appeal(person_id=person_id, action_id=action_id, text="No")

    @precondition(lambda self: len(self.gone) < MOST_ERASED)
    @rule(number=people)
    def leave_the_site(self, number: int) -> None:
        leaver = self.cast[number]
        if leaver.user_id not in self.gone:
            with suppress(AlreadyClosing, NotFound):
                close_account(by=leaver, at_once=True)
            self.gone.add(leaver.user_id)
            self.posts = [one for one in self.posts if one[0] != leaver.user_id]

    # What a court asks for

    @rule(number=people)
    def hold(self, number: int) -> None:
        held = self.cast[number].user_id
        first, second = (one.user_id for one in self.staff)
        with suppress(ThereAlready, NotFound):
            target = HoldTarget(ACCOUNT, held, held)
            ask_hold(by=first, target=target, until=utc_now() + TERM, reason="A court")
            confirm_hold(by=second, hold=get_hold(ACCOUNT, held))
            self.held.add(held)

    @precondition(lambda self: self.held)
    @rule(number=numbers)
    def release(self, number: int) -> None:
        held = sorted(self.held)[number % len(self.held)]
        release_hold(by=self.staff[0].user_id, hold=get_hold(ACCOUNT, held))
        self.held.remove(held)

    # What moderators do

    @rule(by=staff_number, number=numbers, which=numbers, keep=st.booleans())
    def decide(self, by: int, number: int, which: int, keep: bool) -> None:
        cases = self._cases()
        if not cases:
            return
        case = cases[number % len(cases)]
        case_id = _id_of(case)
        kinds = KINDS if case_id.kind == CaseKind.PERSON else OF_POSTS
        theirs = tuple(post_id for author, post_id in self.posts if author == case.person_id)[:3]
        decision = Decision(kinds[which % len(kinds)], posts=theirs, keep_open=keep)
        with suppress(*REFUSALS):
            version = int(read_case(case_id).version)
            by_whom = self.staff[by]
            action_id = decide_case(by=by_whom, case_id=case_id, decision=decision, version=version)
            self.actions.append((case_id, action_id))

    @precondition(lambda self: len(self.waves) < MOST_WAVES)
    @rule(by=staff_number, which=numbers, outdated=st.booleans())
    def decide_in_a_wave(self, by: int, which: int, outdated: bool) -> None:
        cases = [case for case in self._cases() if case.kind == CaseKind.PERSON]
        targets = [Target(_id_of(case), int(case.version)) for case in cases]
        if not targets:
            return
        if outdated:
            self.all_report_one(which % len(PEOPLE))
        decision = WaveDecision(IN_WAVES[which % len(IN_WAVES)])
        wave_id = make_wave(by=self.staff[by], targets=targets, decision=decision)
        start_wave(by=self.staff[by], wave_id=wave_id, decision=decision)
        self.waves.append(wave_id)

    @precondition(lambda self: self.waves)
    @rule(by=staff_number, number=numbers, is_halfway=st.booleans())
    def undo_a_wave(self, by: int, number: int, is_halfway: bool) -> None:
        if not is_halfway:
            drain(self.worker)
        with suppress(WaveMoved, NotFound):
            undo_wave(by=self.staff[by], wave_id=self.waves[number % len(self.waves)])

    @precondition(lambda self: self.actions)
    @rule(by=staff_number, number=numbers)
    def undo(self, by: int, number: int) -> None:
        case_id, action_id = self._action(number)
        with suppress(*REFUSALS):
            undo_action(by=self.staff[by], case_id=case_id, action_id=action_id)

    @precondition(lambda self: self.actions)
    @rule(by=staff_number, number=numbers, grant=st.sampled_from([True, False, None]))
    def answer(self, by: int, number: int, grant: bool | None) -> None:
        case_id, action_id = self._action(number)
        with suppress(*REFUSALS, AlreadyAnswered, OwnDecision):
            version = int(read_case(case_id).version)
            answer_appeal(
                by=self.staff[by],
                case_id=case_id,
                action_id=action_id,
                text="Hm",
                version=version,
                grant=grant,
            )

    def _action(self, number: int) -> tuple[CaseId, str]:
        """An action of the cases, also one of a wave."""
        known = {action_id for _, action_id in self.actions}
        for action in _all(CaseAction):
            if action.action_id not in known:
                kind, subject_id = action.pk.split("#")[1:3]
                self.actions.append((CaseId(CaseKind(kind), subject_id), action.action_id))
        return self.actions[number % len(self.actions)]

    def _cases(self) -> list[Case]:
        return sorted(_all(Case), key=lambda case: (case.kind, case.opened_at, case.subject_id))

    # What must hold

    @rule()
    def the_worker_works(self) -> None:
        drain(self.worker)

    @rule()
    def everything_is_done_and_everything_holds(self) -> None:
        for _ in range(2):  # what the clock begins, the worker ends
            drain(self.worker)
            do_due(now=utc_now() + timedelta(minutes=2))
        drain(self.worker)
        assert not (wrong := broken(before_the_worker=False)), wrong
        assert list_dead_letters() == []
        self._the_chain_is_whole()
        self._effects_are_those_of_what_stands()
        self._whoever_left_is_gone()
        self._figures_are_what_the_cases_say()

    def _the_chain_is_whole(self) -> None:
        walk = Walk()
        number = sum(1 for _ in walk.steps())
        assert walk.faults == []
        entries = Counter(entry.action for entry in _all(AuditEntry))
        assert sum(entries.values()) == number
        actions, undone = list(_all(CaseAction)), Counter[str]()
        for kind, times in Counter(action.kind for action in actions).items():
            assert entries[kind] == times, f"{entries[kind]} entries of {kind} for {times}"
        for action in actions:
            undone[action.kind] += bool(action.undone_at)
        granted = entries["grant appeal"]
        said = (
            sum(times for name, times in entries.items() if name.startswith("undo "))
            - entries["undo wave"]
        )
        assert said + granted == undone.total(), f"{said} + {granted} entries, {undone}"

    def _effects_are_those_of_what_stands(self) -> None:
        standing: dict[str, set[str]] = {}
        for strike in _all(Strike):
            if not strike.undone_at:
                standing.setdefault(strike.user_id, set()).add(strike.kind)
        for info in _all(UserInfo):
            for kind, restriction in RESTRICTIONS.items():
                if kind in KINDS:
                    is_set = bool(getattr(info, str(UNTIL[restriction].attr_name), None))
                    assert is_set == (kind in standing.get(info.user_id, ())), f"{info.pk}: {kind}"
        hiding = {
            post_id
            for action in _all(CaseAction)
            if not action.undone_at and action.kind in (ActionKind.HIDE, ActionKind.REFUSE)
            for post_id in (action.posts or ())
        }
        for one in _all(Post):
            assert one.withheld != Withheld.HIDDEN or one.post_id in hiding, one.pk

    def _whoever_left_is_gone(self) -> None:
        for user_id in self.gone - self.held:
            with suppress(NotFound):
                info = get(UserInfo, keys.user_info(user_id), consistent=True)
                raise AssertionError(f"{info.pk} is still there")
            assert not [one for one in _all(Post) if one.author_id == user_id]

    def _figures_are_what_the_cases_say(self) -> None:
        told = PastFigures(since=datetime.max.replace(tzinfo=UTC))
        for raw in scan():
            told.add(raw)
        expected, counted = Counter[str](), Counter[str]()
        for (_, name), times in told.found().items():
            expected[name] += times if name.startswith(COMPARED) else 0
        for year in {year for year, _ in told.found()}:
            counted.update(
                {n: t for n, t in get_counts(year).items() if n.startswith(COMPARED) and t}
            )
        assert +counted == +expected

    @invariant()
    def count_steps(self) -> None:
        type(self).steps_taken += 1


def _all(model: type[Item]) -> list[Any]:
    return [as_model(model, raw) for raw in scan() if _type_of(raw) == model.__name__]


def _type_of(raw: RawItem) -> str:
    return raw["type"]["S"]


def _id_of(case: Case) -> CaseId:
    return CaseId(CaseKind(case.kind), case.subject_id)

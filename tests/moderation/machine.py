"""Moderation in a few dictionaries: which cases are open, and where. The machine compares the table with it."""

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    multiple,
    precondition,
    rule,
)

from accounts.people.viewer import Viewer
from accounts.sign_up.writes import Admission, sign_up
from feed.posts.content_checks import Verdict
from feed.posts.models import Post, Withheld
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.decisions import OF_KIND, Decision, NothingToActOn, decide_case
from moderation.cases.effects import undo_action
from moderation.cases.evidence import CAN_BE_RESET
from moderation.cases.reads import THE_SITE, CaseId, CaseMoved, read_case
from moderation.cases.writes import (
    AlreadyAnswered,
    Claimed,
    OwnDecision,
    answer_appeal,
    appeal,
    assign_case,
    claim_case,
    leave_case,
)
from moderation.desks.writes import hand_over
from moderation.models import ActionKind, Case, CaseKind, Queue
from moderation.reports.writes import file_report
from moderation.seniors.writes import answer_junior, ask_senior
from socialsite import keys
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import NotFound, as_model, get, ids
from socialsite.table.reading import scan
from tests.conftest import PASSWORD, person
from tests.looks import drain
from tests.moderation.cases import broken, index, let_claim_lapse

SHOWN, HELD, HIDDEN = "", Withheld.HELD, Withheld.HIDDEN
FIRST = {
    CaseKind.PERSON: Queue.REPORTS,
    CaseKind.POST: Queue.HELD,
    CaseKind.SIGN_UP: Queue.SIGN_UPS,
}


@dataclass
class Known:
    """A case that was ever open. `reporters` are those of its round, `decision` is the action that closed it."""

    person: str
    is_open: bool = False
    reporters: set[str] = field(default_factory=set)
    appeals: set[str] = field(default_factory=set)
    desk: str = ""
    decision: str = ""
    asked_by: str = ""  # who asked a senior about it

    def open_round(self) -> None:
        if not self.is_open:
            self.is_open, self.reporters, self.decision = True, set(), ""

    def close(self, decision: str) -> None:
        self.is_open, self.desk, self.decision, self.asked_by = False, "", decision, ""


@dataclass
class Done:
    """An action, with the posts that it changed."""

    case_id: CaseId
    kind: ActionKind
    posts: tuple[str, ...]
    is_undone: bool = False
    is_answered: bool = False


@dataclass
class Model:
    cases: dict[CaseId, Known] = field(default_factory=dict)
    authors: dict[str, str] = field(default_factory=dict)  # of posts that are there
    states: dict[str, str] = field(default_factory=dict)  # of posts: shown, held or hidden
    held: set[str] = field(default_factory=set)  # posts that were, when they were published
    kept: set[str] = field(default_factory=set)  # posts that are evidence
    done: dict[str, Done] = field(default_factory=dict)  # by action id
    records: list[tuple[str, str, str]] = field(default_factory=list)  # that the worker has to read

    def index(self) -> dict[str, set[CaseId]]:
        found: dict[str, set[CaseId]] = {}
        for case_id, case in self.cases.items():
            if case.is_open:
                queue = Queue.APPEALS if case.appeals else FIRST[case_id.kind]
                queue = Queue.SENIORS if case.asked_by else queue
                partition = keys.desk(case.desk) if case.desk else keys.queue(queue)
                found.setdefault(partition, set()).add(case_id)
        return found

    def begin(self, kind: CaseKind, subject: str, person: str) -> None:
        """A case that is there stays as it is."""
        self.cases.setdefault(CaseId(kind, subject), Known(person, is_open=True))

    def publish(self, post_id: str, author: str, state: str, *, is_flagged: bool) -> None:
        self.authors[post_id], self.states[post_id] = author, state
        if state == HELD:
            self.held.add(post_id)
        if state or is_flagged:
            self.records.append(("published", post_id, author))

    def delete(self, post_id: str) -> None:
        author = self.authors.pop(post_id)
        if self.states.pop(post_id):
            self.records.append(("deleted", post_id, author))

    def report(self, by: str, person: str, post_id: str) -> None:
        case = self.cases.setdefault(CaseId(CaseKind.PERSON, person), Known(person))
        case.open_round()
        case.reporters.add(by)
        self.kept |= {post_id} - {""}

    def work(self) -> None:
        """What the worker does about all that it has not read."""
        for what, subject, each_person in self.records:
            case, was_held = self.cases.get(CaseId(CaseKind.POST, subject)), subject in self.held
            match what:
                case "signed up":
                    self.begin(CaseKind.SIGN_UP, subject, each_person)
                case "published" if was_held:
                    if self.states.get(subject):
                        self.begin(CaseKind.POST, subject, each_person)
                case "published" if subject in self.authors and subject not in self.kept:
                    self.report(THE_SITE, each_person, subject)
                case "deleted" if case and case.is_open and not case.appeals:
                    case.close("gone")
        self.records.clear()

    def decide(
        self, action_id: str, case_id: CaseId, kind: ActionKind, posts: set[str], *, keep: bool
    ) -> None:
        case = self.cases[case_id]
        turned = self._turn(kind, {case_id.subject_id} if case_id.kind == CaseKind.POST else posts)
        self.done[action_id] = Done(case_id, kind, tuple(turned))
        if not case.is_open:
            return
        if case.appeals:
            case.reporters = case.reporters if keep else set()
        elif not keep or case_id.kind != CaseKind.PERSON:
            case.close(action_id)

    def _turn(self, kind: ActionKind, posts: set[str]) -> set[str]:
        before, after = {
            ActionKind.HIDE: ({SHOWN, HELD}, HIDDEN),
            ActionKind.REFUSE: ({SHOWN, HELD}, HIDDEN),
            ActionKind.RELEASE: ({HELD}, SHOWN),
        }.get(kind, (set(), SHOWN))
        return self._set(posts, before, after)

    def _set(self, posts: set[str], before: set[str], after: str) -> set[str]:
        turned = {post for post in posts if self.states.get(post) in before}
        self.states |= dict.fromkeys(turned, after)
        return turned

    def undo(self, action_id: str) -> None:
        done, case = self.done[action_id], self.cases[self.done[action_id].case_id]
        if done.is_undone:
            return
        done.is_undone = True
        if action_id in case.appeals:
            self._back(done, waits=False)
            self._settle(action_id)
        elif case.is_open or case.decision != action_id:
            self._back(done, waits=False)
        else:
            is_post = done.case_id.kind == CaseKind.POST
            turned = self._back(done, waits=is_post)
            if turned or not is_post:
                case.is_open, case.decision = True, ""

    def _back(self, done: Done, *, waits: bool) -> set[str]:
        posts = {done.case_id.subject_id} if done.case_id.kind == CaseKind.POST else set(done.posts)
        if done.kind in (ActionKind.HIDE, ActionKind.REFUSE):
            return self._set(posts, {HIDDEN}, HELD if waits else SHOWN)
        if done.kind == ActionKind.RELEASE and waits:
            return self._set(posts, {SHOWN}, HELD)
        return set()

    def appeal(self, action_id: str) -> None:
        case = self.cases[self.done[action_id].case_id]
        case.open_round()
        if action_id not in case.appeals:
            case.desk = ""
        case.appeals.add(action_id)

    def answer(self, action_id: str, *, grant: bool) -> None:
        done = self.done[action_id]
        if grant:
            done.is_undone = True
            self._back(done, waits=False)
        self._settle(action_id)

    def _settle(self, action_id: str) -> None:
        case = self.cases[self.done[action_id].case_id]
        self.done[action_id].is_answered = True
        case.appeals.discard(action_id)
        if not case.appeals and not case.reporters:
            case.close(action_id)


# People who publish, report and appeal, moderators who decide, and a worker that looks now and then, in any
# order.

NAMES, MODERATORS = ("alice", "bob", "carol", "dora"), ("moddy", "mei")
MOST_POSTS, MOST_SIGN_UPS = 15, 4


class Moderation(RuleBasedStateMachine):
    """`new_table` is set by the test: it makes an empty table and forgets the last."""

    new_table: Any = None
    steps_taken = 0

    posts = Bundle("posts")
    actions = Bundle("actions")
    people = st.integers(0, len(NAMES) - 1)
    moderators = st.integers(0, len(MODERATORS) - 1)

    def __init__(self) -> None:
        super().__init__()
        type(self).new_table()
        self.model = Model()
        self.worker = Worker()

    def teardown(self) -> None:
        self._work()
        self._compare()
        assert not (wrong := broken(before_the_worker=False)), wrong
        assert list_dead_letters() == []

    @initialize()
    def some_are_here(self) -> None:
        self.cast = [person(name) for name in NAMES]
        self.staff = [person(name, role="moderator") for name in MODERATORS]
        self.sign_ups = 0

    # What people do

    @precondition(lambda self: len(self.model.authors) < MOST_POSTS)
    @rule(target=posts, author=people, state=st.sampled_from(["", "", Withheld.HELD, "flagged"]))
    def publish(self, author: int, state: str) -> str:
        by = self.cast[author]
        is_held, is_flagged = state == Withheld.HELD, state == "flagged"
        verdict = Verdict(withheld=state if is_held else "", flagged="w1" if is_flagged else "")
        post_id = publish_post(by=by, content="Hello", nonce=ids.new_id(), verdict=verdict)
        self.model.publish(post_id, by.user_id, verdict.withheld, is_flagged=is_flagged)
        return post_id

    @rule(post_id=consumes(posts))
    def delete(self, post_id: str) -> None:
        delete_post(by=Viewer(self.model.authors[post_id]), post_id=post_id)
        self.model.delete(post_id)

    @rule(by=people, other=people, severity=st.integers(1, 3))
    def report_person(self, by: int, other: int, severity: int) -> None:
        if by != other:
            self._report(by, self.cast[other].user_id, "", severity)

    @rule(by=people, post_id=posts, severity=st.integers(1, 3))
    def report_post(self, by: int, post_id: str, severity: int) -> None:
        author = self.model.authors[post_id]
        if self.cast[by].user_id != author:
            self._report(by, author, post_id, severity)

    def _report(self, by: int, person_id: str, post_id: str, severity: int) -> None:
        reporter = self.cast[by]
        file_report(by=reporter, person_id=person_id, post_id=post_id, severity=severity)
        self.model.report(reporter.user_id, person_id, post_id)

    @precondition(lambda self: self.sign_ups < MOST_SIGN_UPS)
    @rule()
    def somebody_asks_to_join(self) -> None:
        self.sign_ups += 1
        handle = f"new_{self.sign_ups}"
        user_id = sign_up(
            handle=handle,
            name=handle,
            email=f"{handle}@example.org",
            confirmed=True,
            password=PASSWORD,
            admission=Admission(waits=True),
        )
        self.model.records.append(("signed up", user_id, user_id))

    @rule(action_id=actions)
    def appeal(self, action_id: str) -> None:
        done = self.model.done[action_id]
        person_id = self.model.cases[done.case_id].person
        with suppress(AlreadyAnswered, NotFound):  # NotFound: of which nobody was told
            appeal(person_id=person_id, action_id=action_id, text="No")
            assert not done.is_undone
            assert not done.is_answered
            self.model.appeal(action_id)

    # What moderators do

    def _case(self, number: int) -> CaseId:
        return list(self.model.cases)[number % len(self.model.cases)]

    @precondition(lambda self: self.model.cases)
    @rule(by=moderators, number=st.integers(0, 99), lapsed=st.booleans())
    def claim(self, by: int, number: int, lapsed: bool) -> None:
        with suppress(Claimed, NotFound):
            claim_case(by=self.staff[by], case_id=self._case(number))
            assert self.model.cases[self._case(number)].is_open
            if lapsed:
                let_claim_lapse(self._case(number))

    @precondition(lambda self: self.model.cases)
    @rule(by=moderators, number=st.integers(0, 99))
    def leave(self, by: int, number: int) -> None:
        leave_case(by=self.staff[by], case_id=self._case(number))

    @precondition(lambda self: self.model.cases)
    @rule(by=moderators, number=st.integers(0, 99), to=st.sampled_from([None, 0, 1]))
    def assign(self, by: int, number: int, to: int | None) -> None:
        case_id, desk = self._case(number), "" if to is None else self.staff[to].user_id
        with suppress(CaseMoved, NotFound):
            assign_case(by=self.staff[by], case_id=case_id, moderator_id=desk)
            self.model.cases[case_id].desk = desk

    @precondition(lambda self: self.model.cases)
    @rule(by=moderators, number=st.integers(0, 99))
    def ask_a_senior(self, by: int, number: int) -> None:
        case_id, user_id = self._case(number), self.staff[by].user_id
        with suppress(CaseMoved, NotFound):
            ask_senior(by=self.staff[by], case_id=case_id, text="?")
            known = self.model.cases[case_id]
            assert known.is_open
            if not known.asked_by:
                known.asked_by, known.desk = user_id, ""

    @precondition(lambda self: self.model.cases)
    @rule(by=moderators, number=st.integers(0, 99))
    def give_it_back(self, by: int, number: int) -> None:
        case_id = self._case(number)
        known = self.model.cases[case_id]
        with suppress(CaseMoved, NotFound):
            assert answer_junior(by=self.staff[by], case_id=case_id, text="!") == known.asked_by
            known.asked_by, known.desk = "", known.asked_by

    @rule(by=moderators, to=st.sampled_from([None, 0, 1]))
    def hand_over(self, by: int, to: int | None) -> None:
        of, desk = self.staff[by].user_id, "" if to is None else self.staff[to].user_id
        theirs = [case for case in self.model.cases.values() if case.is_open and case.desk == of]
        assert hand_over(by=self.staff[by], moderator_id=desk, text="Yours") == len(theirs)
        for case in theirs:
            case.desk = desk

    @precondition(lambda self: self.model.cases)
    @rule(
        target=actions,
        by=moderators,
        number=st.integers(0, 99),
        which=st.integers(0, 99),
        keep=st.booleans(),
        chosen=st.sets(posts, max_size=3),
    )
    def decide(self, by: int, number: int, which: int, keep: bool, chosen: set[str]) -> Any:
        case_id = self._case(number)
        kind = OF_KIND[case_id.kind][which % len(OF_KIND[case_id.kind])]
        person_id = self.model.cases[case_id].person
        theirs = {post_id for post_id in chosen if self.model.authors.get(post_id) == person_id}
        decision = Decision(kind, tuple(theirs), keep_open=keep, parts=CAN_BE_RESET)
        version = int(read_case(case_id).version)
        try:
            action_id = decide_case(
                by=self.staff[by], case_id=case_id, decision=decision, version=version
            )
        except (CaseMoved, NothingToActOn):
            return multiple()
        self.model.decide(action_id, case_id, kind, theirs, keep=keep)
        return action_id

    @rule(by=moderators, action_id=actions)
    def undo(self, by: int, action_id: str) -> None:
        case_id = self.model.done[action_id].case_id
        with suppress(CaseMoved):  # an appeal is open, and another looks at it
            undo_action(by=self.staff[by], case_id=case_id, action_id=action_id)
            self.model.undo(action_id)

    @rule(by=moderators, action_id=actions, grant=st.sampled_from([True, False, None]))
    def answer(self, by: int, action_id: str, grant: bool | None) -> None:
        case_id = self.model.done[action_id].case_id
        version = int(read_case(case_id).version)
        with suppress(CaseMoved, AlreadyAnswered, NotFound, OwnDecision):
            answer_appeal(
                by=self.staff[by],
                case_id=case_id,
                action_id=action_id,
                text="Hm",
                version=version,
                grant=grant,
            )
            assert action_id in self.model.cases[case_id].appeals
            if grant is not None:
                self.model.answer(action_id, grant=grant)

    # What the machine does

    @rule()
    def the_worker_works(self) -> None:
        self._work()

    def _work(self) -> None:
        drain(self.worker)
        self.model.work()

    @rule()
    def all_is_as_the_model_says(self) -> None:
        self._compare()

    @invariant()
    def count_steps(self) -> None:
        type(self).steps_taken += 1

    def _compare(self) -> None:
        found = {place: sorted(map(str, cases)) for place, cases in index(*self.staff).items()}
        expected = self.model.index()
        wanted = {place: sorted(map(str, cases)) for place, cases in expected.items()}
        assert found == wanted, f"{found} instead of {wanted}"
        for case in (as_model(Case, raw) for raw in scan() if raw["type"]["S"] == "Case"):
            known = self.model.cases[CaseId(CaseKind(case.kind), case.subject_id)]
            state = bool(case.escalated_to), int(case.reports)
            assert state == (known.is_open, len(known.reporters)), f"{case.pk}: {state}, {known}"
        for post_id, author in self.model.authors.items():
            post = get(Post, keys.post(author, post_id), consistent=True)
            assert (post.withheld or "") == self.model.states[post_id]
        assert not (wrong := broken()), wrong

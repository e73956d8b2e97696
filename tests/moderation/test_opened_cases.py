"""Cases as they begin: from the stream or from staff; their states, and every drift that `audit` finds."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest

from accounts.people.viewer import Viewer
from accounts.sign_up.writes import Admission, sign_up
from feed.posts.content_checks import Verdict
from feed.posts.models import Withheld
from feed.publishing.writes import delete_post, publish_post
from moderation.cases.changes import NEXT, State, Step, after, state_of
from moderation.cases.effects import undo_action
from moderation.cases.lists import get_case
from moderation.cases.reads import CaseId, read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, Case, CaseKind, CaseOutcome, CaseReport, Queue, Strike
from moderation.people.writes import open_case
from moderation.reports import views
from moderation.reports.reads import list_own_reports
from moderation.reports.writes import close_gone
from relations.relation import CannotRelateToYourself
from socialsite import keys
from socialsite.site_settings.site_setup import MINOR, SERIOUS, Rule, SiteRules
from socialsite.site_settings.word_filters import Effect, Word
from socialsite.table import NotFound, change, ids, write_batch
from tests.conftest import PASSWORD, person, post
from tests.kept import keep_site_rules
from tests.looks import broken_invariants
from tests.moderation.cases import (
    about,
    about_post,
    broken,
    decide,
    index,
    is_there,
    let_claim_lapse,
    logged,
    report,
)
from tests.streams.records import everything, handle_all, lines, unread

HELD, REPORTS, SIGN_UPS = (
    keys.queue(queue) for queue in (Queue.HELD, Queue.REPORTS, Queue.SIGN_UPS)
)
WORDS = (
    Word("w1", "word", "cheap", Effect.FLAG, "spam", ""),
    Word("w2", "word", "awful", Effect.FLAG, "hate", ""),
)
RULES = SiteRules(
    rules=(Rule("spam", MINOR), Rule("hate", SERIOUS)), has_own_rules=True, words=WORDS
)


@pytest.fixture
def rules(table):
    keep_site_rules(RULES)
    yield
    keep_site_rules(SiteRules())


def held(author: Viewer) -> str:
    verdict = Verdict(withheld=Withheld.HELD)
    return publish_post(by=author, content="Wait", nonce=ids.new_id(), verdict=verdict)


def wait_for_approval(handle: str = "wendy") -> CaseId:
    user_id = sign_up(
        handle=handle,
        name=handle.title(),
        email=f"{handle}@example.org",
        confirmed=True,
        password=PASSWORD,
        admission=Admission(waits=True, asked="I like it here"),
    )
    return CaseId(CaseKind.SIGN_UP, user_id)


def held_and_deleted(author: Viewer) -> None:
    delete_post(by=author, post_id=held(author))


def flagged_and_deleted(author: Viewer) -> None:
    delete_post(by=author, post_id=post(author, "So cheap"))


SCENES: dict[str, Callable[[Viewer], object]] = {
    "held": held,
    "flagged": lambda author: post(author, "So cheap"),
    "waiting": lambda _: wait_for_approval(),
    "held and deleted": held_and_deleted,
    "flagged and deleted": flagged_and_deleted,
}


@pytest.mark.usefixtures("rules")
@pytest.mark.parametrize("scene", SCENES)
def test_each_handler_run_twice_does_what_it_does_once(bob, drain_stream, scene):
    drain_stream()
    SCENES[scene](bob)
    records = unread()
    first = handle_all(records)
    done = everything()
    second = handle_all(records)
    assert everything() == done
    assert lines(second) == lines(first)
    handle_all(records[::-1])
    assert [len(found) for found in index().values()] in ([], [1])
    drain_stream()
    assert broken(before_the_worker=False) == {}


@pytest.mark.usefixtures("rules")
def test_a_held_post_waits_in_its_queue(bob, drain_stream):
    post_id = held(bob)
    drain_stream()
    case = read_case(about_post(post_id))
    assert index() == {HELD: [about_post(post_id)]}
    assert (case.person_id, case.reports) == (bob.user_id, 0)


@pytest.mark.usefixtures("rules")
def test_a_post_for_everybody_to_see_makes_no_case(bob, drain_stream):
    post(bob, "Hello")
    drain_stream()
    assert index() == {}


@pytest.mark.usefixtures("rules")
def test_a_flagged_post_is_a_report_of_its_author_by_the_site(bob, drain_stream):
    post(bob, "So cheap and so awful")
    drain_stream()
    case = read_case(about(bob))
    assert index() == {REPORTS: [about(bob)]}
    assert (case.reports, case.severity, case.rules) == (1, SERIOUS, {"hate"})
    assert broken(before_the_worker=False) == {}


@pytest.mark.usefixtures("rules")
def test_the_site_and_a_person_are_two_reporters(alice, bob, drain_stream):
    post_id = post(bob, "So cheap")
    drain_stream()
    case = report(alice, bob, post_id)
    assert case.reports == 2
    assert len(list_own_reports(alice)) == 1
    assert broken(before_the_worker=False) == {}


@pytest.mark.usefixtures("rules")
def test_a_sign_up_waits_in_its_queue_until_it_is_approved(mod, drain_stream):
    case_id = wait_for_approval()
    drain_stream()
    assert index(mod) == {SIGN_UPS: [case_id]}
    decide(mod, case_id, ActionKind.APPROVE)
    drain_stream()
    assert index(mod) == {}
    assert broken(before_the_worker=False) == {}


@pytest.mark.usefixtures("rules")
def test_a_held_post_that_its_author_deletes_is_nobodys_work(bob, drain_stream):
    post_id = held(bob)
    drain_stream()
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert index() == {}
    assert read_case(about_post(post_id)).decision == "gone"
    assert broken(before_the_worker=False) == {}


@pytest.mark.usefixtures("rules")
def test_also_if_it_was_hidden_meanwhile(alice, bob, mod, drain_stream):
    post_id = held(bob)
    report(alice, bob)
    decide(mod, about(bob), ActionKind.HIDE, post_id)
    drain_stream()
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert index() == {}


@pytest.mark.usefixtures("rules")
def test_a_post_published_and_deleted_before_the_worker_looks_opens_nothing(bob, drain_stream):
    post_id = held(bob)
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    assert not is_there(about_post(post_id))
    assert index() == {}


@pytest.mark.usefixtures("rules")
def test_a_record_that_comes_after_the_decision_opens_nothing_again(bob, mod, drain_stream):
    drain_stream()
    post_id = held(bob)
    records = unread()
    handle_all(records)
    decide(mod, about_post(post_id), ActionKind.REFUSE)
    handle_all(records)
    assert index() == {}


@pytest.mark.usefixtures("rules")
def test_a_flagged_post_that_was_decided_about_is_not_reported_again(bob, mod, drain_stream):
    drain_stream()
    post(bob, "So cheap")
    records = unread()
    handle_all(records)
    decide(mod, about(bob), ActionKind.DISMISS)
    handle_all(records)
    assert index() == {}
    post(bob, "So very cheap")
    drain_stream()
    assert read_case(about(bob)).reports == 1
    assert broken(before_the_worker=False) == {}


def opened() -> int:
    return [entry.action for entry in logged()].count("open case")


def test_posts_are_kept_as_evidence(alice, mod, drain_stream):
    posts = [post(alice, "One"), post(alice, "Two")]
    case_id = open_case(by=mod, person_id=alice.user_id, rule_id="spam", posts=posts)
    assert case_id == about(alice)
    assert {one.post_id for one in get_case(case_id).evidence} == set(posts)
    assert (int(read_case(case_id).reports), opened()) == (1, 1)
    drain_stream()
    assert broken_invariants() == {}


def test_opening_again_changes_nothing_and_finishes_what_was_begun(alice, mod):
    first, second = post(alice, "One"), post(alice, "Two")
    open_case(by=mod, person_id=alice.user_id, posts=[first])
    version = read_case(about(alice)).version
    open_case(by=mod, person_id=alice.user_id, posts=[first])
    assert read_case(about(alice)).version == version
    open_case(by=mod, person_id=alice.user_id, posts=[first, second])
    assert {one.post_id for one in get_case(about(alice)).evidence} == {first, second}
    assert opened() == 1


def test_a_case_that_is_open_is_joined(alice, bob, mod):
    report(bob, alice, rule_id="spam")
    open_case(by=mod, person_id=alice.user_id, rule_id="violence")
    case = read_case(about(alice))
    assert (int(case.reports), int(case.severity)) == (2, 1)


def test_a_closed_case_opens_again(alice, bob, mod, admin):
    report(bob, alice, rule_id="spam")
    decide(admin, about(alice), ActionKind.DISMISS)
    open_case(by=mod, person_id=alice.user_id, rule_id="spam")
    assert (int(read_case(about(alice)).round), opened()) == (2, 1)


def test_what_cannot_be_reported_is_refused_and_not_logged(alice, mod):
    with pytest.raises(CannotRelateToYourself):
        open_case(by=mod, person_id=mod.user_id)
    for wrong in ({"person_id": "0" * 26}, {"person_id": alice.user_id, "posts": ["0" * 26]}):
        with pytest.raises(NotFound):
            open_case(by=mod, **wrong)
    assert logged() == []


def test_staff_report_without_a_limit(alice, bob, carol, mod, log_in, limit):
    limit(views, "REPORTS", 1)
    browser = log_in(mod)
    for path in ("/@alice/report", "/@bob/report", "/@carol/report"):
        assert browser.post(path, {"reason": "spam"}).status_code == 302


# Every row of the table of states, played: a case in that state, the step done to it, and the state it is in
# then.


@dataclass
class Play:
    """Bob's case, and the ids of what was done in it: the first action closed nothing, the last one may have."""

    bob: Viewer
    reporters: list[Viewer]
    mod: Viewer
    done: list[str] = field(default_factory=list)

    def state(self) -> State:
        return state_of(read_case(about(self.bob)) if is_there(about(self.bob)) else None)

    def prepare(self, state: State) -> None:
        if state is State.ABSENT:
            return
        self._report()
        self._act(ActionKind.WARN, keep_open=True)
        if state is State.OPEN:
            return
        self._act(ActionKind.LIMIT)
        if state is State.APPEALED:
            self._appeal(self.done[-1])

    def do(self, step: Step) -> None:
        case_id = about(self.bob)
        match step:
            case Step.REPORT:
                self._report()
            case Step.DECIDE:
                self._act(ActionKind.FREEZE)
            case Step.DECIDE_AND_KEEP:
                self._act(ActionKind.FREEZE, keep_open=True)
            case Step.APPEAL:
                self._appeal(self.done[0])
            case Step.ANSWER_ONE_OF_SEVERAL:
                self._appeal(self.done[0])
                self._answer(self.done[-1])
            case Step.ANSWER_BEFORE_REPORTS:
                self._report()
                self._answer(self.done[-1])
            case Step.ANSWER:
                self._answer(self.done[-1])
            case Step.UNDO_CLOSING:
                undo_action(by=self.mod, case_id=case_id, action_id=self.done[-1])
            case Step.UNDO_EARLIER:
                undo_action(by=self.mod, case_id=case_id, action_id=self.done[0])
            case Step.LOSE_SUBJECT:
                let_claim_lapse(case_id)
                close_gone(case_id=case_id)

    def _report(self) -> None:
        report(self.reporters.pop(), self.bob, rule_id="spam")

    def _act(self, kind: ActionKind, **rest: bool) -> None:
        self.done.append(decide(self.mod, about(self.bob), kind, **rest))

    def _appeal(self, action_id: str) -> None:
        appeal(person_id=self.bob.user_id, action_id=action_id, text="It was a joke")

    def _answer(self, action_id: str) -> None:
        case_id = about(self.bob)
        version = int(read_case(case_id).version)
        answer_appeal(by=self.mod, case_id=case_id, action_id=action_id, text="No", version=version,
                      grant=False)  # fmt: skip


@pytest.fixture
def play(bob, carol, mod) -> Play:
    return Play(bob, [carol, person("dora"), person("erik")], mod)


@pytest.mark.parametrize(("state", "step"), NEXT, ids=lambda value: str(value).replace(" ", "-"))
def test_a_step_leads_where_the_table_says(state, step, play):
    play.prepare(state)
    assert play.state() is state
    play.do(step)
    assert play.state() is NEXT[state, step]


def test_a_step_that_a_state_does_not_know_is_a_mistake(bob, carol):
    case = report(carol, bob)
    with pytest.raises(KeyError):
        after(case, Step.UNDO_CLOSING)


def test_every_state_and_step_has_a_row():
    assert {state for state, _ in NEXT} == set(State)
    assert {step for _, step in NEXT} == set(Step)


# `manage.py audit` finds each kind of drift in cases, reports and strikes.

PLACES = "open cases stand in the index where they belong, closed ones nowhere"
CLOSINGS = "closed cases have an outcome and are listed"
COUNTS = "cases count their reports"
TRACES = "every report has its trace"
STRIKES = "every strike has its action, and every action of which people are told its strike"
APPEALS = "appeals that are open wait in the queue"
OUTCOMES = "outcomes name an action that stands, or say that it was undone"
ACTED = "a case that was left open after an action names one that stands"

Drift = Callable[[SimpleNamespace], None]


def alter(*actions: object) -> Drift:
    return lambda made: change(Case, about(made.bob).key, list(actions))


def take_away(key: Callable[[SimpleNamespace], keys.Key]) -> Drift:
    return lambda made: write_batch(deletes=[key(made)])


def say_it_was_undone(made: SimpleNamespace) -> None:
    key = keys.case_outcome(CaseKind.PERSON, made.bob.user_id, 1)
    change(CaseOutcome, key, [CaseOutcome.undone_at.set("2026-01-01T00:00:00+00:00")])


def answer_unseen(made: SimpleNamespace) -> None:
    key = keys.strike(made.bob.user_id, made.warned)
    change(Strike, key, [Strike.appeal.set("refused")])


def move_report(made: SimpleNamespace) -> None:
    key = keys.case_report(CaseKind.PERSON, made.bob.user_id, made.alice.user_id)
    change(CaseReport, key, [CaseReport.round.set(7)])


OPEN = {
    "in another queue": (alter(Case.escalated_to.set("elsewhere")), [PLACES]),
    "in no queue": (alter(Case.escalated_to.remove(), Case.escalated_at.remove()), [PLACES]),
    "in another place": (alter(Case.escalated_at.set("2")), [PLACES]),
    "a report too many": (alter(Case.reports.add(1)), [COUNTS]),
    "a report of another round": (move_report, [COUNTS, TRACES]),
    "no trace": (
        take_away(lambda m: keys.report_trace(m.alice.user_id, CaseKind.PERSON, m.bob.user_id)),
        [TRACES],
    ),
    "no strike": (
        take_away(lambda m: keys.strike(m.bob.user_id, m.warned)),
        [STRIKES, APPEALS],
    ),
    "no action": (
        take_away(lambda m: keys.case_action(CaseKind.PERSON, m.bob.user_id, m.warned)),
        [STRIKES, ACTED],
    ),
    "an appeal that nobody sees": (alter(Case.appealed.remove()), [APPEALS]),
    "an action that nobody did": (alter(Case.acted.set("limit")), [ACTED]),
    "an appeal that was answered": (answer_unseen, [APPEALS]),
}
CLOSED = {
    "still in a queue": (alter(Case.escalated_to.set("elsewhere")), [PLACES]),
    "still looked at": (alter(Case.claimed_by.set("somebody")), [PLACES]),
    "no outcome": (
        take_away(lambda m: keys.case_outcome(CaseKind.PERSON, m.bob.user_id, 1)),
        [CLOSINGS],
    ),
    "an outcome that was not undone": (say_it_was_undone, [OUTCOMES]),
    "not listed": (alter(Case.closed_at.set("2020-01-01T00:00:00+00:00")), [CLOSINGS]),
}


@pytest.fixture
def made(alice, bob, mod) -> SimpleNamespace:
    """Bob, reported and warned about his post."""
    report(alice, bob, post(bob))
    return SimpleNamespace(alice=alice, bob=bob, mod=mod)


def found(drift: Drift, made: SimpleNamespace) -> list[str]:
    assert broken() == {}
    drift(made)
    return list(broken())


@pytest.mark.parametrize("what", OPEN)
def test_of_an_open_case_it_finds(what, made):
    made.warned = decide(made.mod, about(made.bob), ActionKind.WARN, keep_open=True)
    appeal(person_id=made.bob.user_id, action_id=made.warned, text="No")
    drift, expected = OPEN[what]
    rules = found(drift, made)
    assert [rule for rule in rules if rule in expected] == expected
    assert set(rules) <= {*expected, PLACES, CLOSINGS}


@pytest.mark.parametrize("what", CLOSED)
def test_of_a_closed_case_it_finds(what, made):
    decide(made.mod, about(made.bob), ActionKind.DISMISS)
    drift, expected = CLOSED[what]
    rules = found(drift, made)
    assert [rule for rule in rules if rule in expected] == expected

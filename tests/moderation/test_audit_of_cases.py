"""`manage.py audit` finds each kind of drift in cases, reports and strikes."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from moderation.cases.writes import appeal
from moderation.models import ActionKind, Case, CaseKind, CaseOutcome, CaseReport, Strike
from socialsite.table import change, keys, write_batch
from tests.conftest import post
from tests.moderation.cases import about, broken, decide, report

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

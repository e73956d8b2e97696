"""Closing a case apart from dismissing its reports, and what stays true of it when an action is undone afterwards."""

import pytest
from django.test import Client

from moderation.audit_log.reads import PUBLIC
from moderation.cases.effects import undo_action
from moderation.cases.reads import CaseMoved, read_case
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, CaseOutcome
from moderation.reports.reads import list_own_reports
from socialsite.table import get, keys
from tests.moderation.cases import about, broken, decide, index, logged, report, strikes
from tests.moderation.queues import QUEUE, page_of, steps
from tests.web.html import Html

K = ActionKind


@pytest.fixture
def moderator(mod, log_in) -> Client:
    return log_in(mod)


def undo(mod, bob, action_id: str) -> None:
    undo_action(by=mod, case_id=about(bob), action_id=action_id)


def listed_as(moderator: Client) -> str:
    page = Html(moderator.get(f"{QUEUE}?queue=closed"))
    return page.one("p", class_="case-state").text


def told(reporter) -> str:
    return list_own_reports(reporter)[0].outcome_text


def test_reports_are_dismissed_until_something_was_done_and_closed_from_then_on(
    alice, bob, mod, moderator
):
    report(alice, bob, rule_id="spam")
    assert {"dismiss", "close"} & set(steps(page_of(moderator, bob))) == {"dismiss"}
    action_id = decide(mod, about(bob), K.WARN, keep_open=True)
    assert {"dismiss", "close"} & set(steps(page_of(moderator, bob))) == {"close"}
    undo(mod, bob, action_id)
    assert {"dismiss", "close"} & set(steps(page_of(moderator, bob))) == {"dismiss"}


def test_reports_about_which_something_was_done_are_not_dismissed(alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    with pytest.raises(CaseMoved):
        decide(mod, about(bob), K.DISMISS)
    assert [entry.action for entry in logged()] == ["warn"]


@pytest.mark.parametrize("kind", [K.DISMISS, K.CLOSE])
def test_a_closed_case_is_not_closed_again(kind, alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.WARN)
    with pytest.raises(CaseMoved):
        decide(mod, about(bob), kind)


def test_closing_tells_the_person_nothing_and_the_public_nothing(alice, bob, mod, moderator):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    decide(mod, about(bob), K.CLOSE)
    assert [strike.kind for strike in strikes(bob)] == [K.WARN]
    assert "close" not in PUBLIC
    log = Html(moderator.get("/moderation/log")).one("main").text
    assert "Mod Miller closed the case about @bob" in log
    assert listed_as(moderator) == "Warned · closed by Mod Miller, now"
    said = page_of(moderator, bob).one("p", class_="case-closed").text
    assert said == "Warned · closed by Mod Miller, now"
    assert index(mod) == {}
    assert broken() == {}


def test_closing_without_an_action_is_told_as_neither(alice, bob, mod):
    report(alice, bob)
    decide(mod, about(bob), K.CLOSE)
    assert told(alice) == "We looked into it, and there is no more to do"


def test_what_is_undone_after_the_end_is_said_to_reporters_and_in_the_list(
    alice, bob, mod, moderator
):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN, keep_open=True)
    decide(mod, about(bob), K.CLOSE)
    undo(mod, bob, action_id)
    assert told(alice) == "We took action, and took it back later"
    assert listed_as(moderator) == "Warned, undone · closed by Mod Miller, now"
    assert "Warned, undone" in page_of(moderator, bob).one("p", class_="case-closed").text
    assert index(mod) == {}
    assert broken() == {}


def test_what_still_stands_takes_the_place_of_what_was_undone(alice, bob, mod, moderator):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    limited = decide(mod, about(bob), K.LIMIT, keep_open=True)
    undo(mod, bob, limited)
    assert read_case(about(bob)).acted == K.WARN
    limited = decide(mod, about(bob), K.LIMIT, keep_open=True)
    decide(mod, about(bob), K.CLOSE)
    undo(mod, bob, limited)
    assert told(alice) == "We took action"
    assert listed_as(moderator) == "Warned · closed by Mod Miller, now"
    assert broken() == {}


def test_an_action_of_an_earlier_round_is_undone_in_its_own_outcome(alice, bob, carol, mod):
    report(alice, bob)
    first = decide(mod, about(bob), K.WARN)
    report(carol, bob)
    decide(mod, about(bob), K.LIMIT)
    undo(mod, bob, first)
    assert told(alice) == "We took action, and took it back later"
    assert told(carol) == "We took action"
    assert broken() == {}


def test_an_appeal_that_is_granted_undoes_the_outcome(alice, bob, mod):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN)
    appeal(person_id=bob.user_id, action_id=action_id, text="But")
    version = int(read_case(about(bob)).version)
    answer_appeal(
        by=mod, case_id=about(bob), action_id=action_id, text="", version=version, grant=True
    )
    assert told(alice) == "We took action, and took it back later"
    assert broken() == {}


def test_an_appeal_granted_before_the_end_leaves_nothing_that_was_done(alice, bob, mod, moderator):
    report(alice, bob)
    action_id = decide(mod, about(bob), K.WARN, keep_open=True)
    appeal(person_id=bob.user_id, action_id=action_id, text="But")
    undo(mod, bob, action_id)
    assert read_case(about(bob)).acted is None
    assert "dismiss" in steps(page_of(moderator, bob))
    assert broken() == {}


def test_undoing_the_close_opens_the_case_with_what_was_done(alice, bob, mod, moderator):
    report(alice, bob)
    decide(mod, about(bob), K.WARN, keep_open=True)
    closed = decide(mod, about(bob), K.CLOSE)
    undo(mod, bob, closed)
    assert told(alice) == "We’re looking into it"
    assert "close" in steps(page_of(moderator, bob))
    assert index(mod) == {keys.queue("reports"): [about(bob)]}
    assert broken() == {}


def test_of_reports_that_ended_under_an_appeal_the_outcome_stays_true(alice, bob, carol, mod):
    report(alice, bob)
    warned = decide(mod, about(bob), K.WARN, keep_open=True)
    appeal(person_id=bob.user_id, action_id=warned, text="But")
    decide(mod, about(bob), K.CLOSE)
    assert told(alice) == "We took action"
    undo(mod, bob, warned)
    outcome = keys.case_outcome("person", bob.user_id, 1)
    assert get(CaseOutcome, outcome, consistent=True).undone_at
    assert broken() == {}


def test_dismissed_reports_that_are_taken_up_again_are_in_the_public_log(alice, bob, mod):
    report(alice, bob)
    undo(mod, bob, decide(mod, about(bob), K.DISMISS))
    assert {entry.action for entry in logged()} <= PUBLIC.keys()

"""People are told that moderators decided about them: without a name, whatever they switched off, and once."""

import pytest

from moderation.cases.effects import undo_action
from moderation.models import ActionKind
from notifications.writes import choose_notifications
from socialsite.telling import OptOut
from tests.looks import broken_invariants
from tests.moderation.cases import about, decide, report
from tests.notifications.told import badge, told, waiting
from tests.streams.crowd import returning
from tests.web.html import Html

SAYS = "The moderators made a decision about your account or your posts."


@pytest.fixture
def warning(alice, bob, mod, drain_stream) -> str:
    """A warning of Bob, whom Alice reported; the id of the action."""
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.WARN)
    drain_stream()
    return action_id


def test_a_decision_is_told_with_the_way_to_its_reason(bob, mod, warning, log_in):
    browser = log_in(bob)
    assert told(returning(bob)) == [SAYS]
    assert badge(browser) == "1 1 new"
    page = Html(browser.get("/notifications"))
    assert page.one("a", class_="note-answer")["href"] == "/standing"
    assert "@mod" not in page.one("main").text
    assert not broken_invariants()


def test_it_is_among_all_notifications_alone(bob, warning):
    assert told(returning(bob), "mentions") == told(returning(bob), "follows") == []


def test_it_cannot_be_switched_off(alice, bob, mod, drain_stream):
    choose_notifications(by=bob, opted_out=list(OptOut))
    report(alice, bob)
    decide(mod, about(bob), ActionKind.WARN)
    drain_stream()
    assert told(returning(bob)) == [SAYS]


def test_nobody_else_is_told_of_it(alice, mod, warning):
    assert told(returning(alice)) == told(returning(mod)) == []


def test_undoing_it_tells_nothing_anew(bob, mod, warning, drain_stream):
    undo_action(by=mod, case_id=about(bob), action_id=warning)
    drain_stream()
    assert told(returning(bob)) == [SAYS]
    assert len(waiting(bob).unseen) == 1
    assert not broken_invariants()

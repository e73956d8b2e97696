"""What one reported and what became of it, without which action it was."""

import pytest
from django.test import Client

from accounts.people.restrictions import Restriction
from moderation.cases.decisions import OF_KIND
from moderation.cases.effects import undo_action
from moderation.models import ActionKind, CaseKind
from socialsite.table import Delete, keys, transact
from tests.conftest import person, post
from tests.moderation.cases import about, decide, report
from tests.moderation.restricting import restrict
from tests.web.html import Html

PAGE = "/settings/reports"
LOOKING, NOTHING, NO_MORE, ACTED = (
    "We’re looking into it",
    "We found that no rule was broken",
    "We looked into it, and there is no more to do",
    "We took action",
)
ON_POSTS = {ActionKind.SENSITIVE, ActionKind.HIDE}


def rows(browser: Client) -> list[str]:
    return [row.text for row in Html(browser.get(PAGE)).all("li", class_="own-report")]


def outcomes(browser: Client) -> list[str]:
    return [row.text for row in Html(browser.get(PAGE)).all("p", class_="outcome")]


def test_who_reported_nothing_reads_where_one_would(alice, log_in):
    html = Html(log_in(alice).get(PAGE))
    assert "You haven’t reported anything." in html.one(class_="empty").text
    assert html.one("a", href=PAGE)["aria-current"] == "page"


def test_it_says_whom_with_which_rule_when_and_how_many_posts(alice, bob, carol, log_in):
    report(alice, carol, rule_id="harassment", comment="She shouts at me")
    for post_id in (post(bob), post(bob)):
        report(alice, bob, post_id, rule_id="spam")
    about_bob, about_carol = rows(log_in(alice))  # the newest first
    assert "Bob Brandt @bob 2 posts · Spam · " in about_bob
    assert "Carol 陈 @carol Harassment or hate · " in about_carol
    assert "She shouts at me" in about_carol
    assert Html(log_in(alice).get(PAGE)).one("a", href="/@bob").text == "Bob Brandt @bob"


def test_what_names_no_rule_is_something_else(alice, bob, log_in):
    report(alice, bob, comment="Odd")
    assert "@bob Something else · " in rows(log_in(alice))[0]


@pytest.mark.parametrize("kind", OF_KIND[CaseKind.PERSON])
def test_what_became_of_it_is_said_but_not_which_action_it_was(alice, bob, mod, log_in, kind):
    post_id = post(bob)
    report(alice, bob, post_id)
    browser = log_in(alice)
    assert outcomes(browser) == [LOOKING]
    decide(mod, about(bob), kind, *((post_id,) if kind in ON_POSTS else ()), text="Our words")
    said = {ActionKind.DISMISS: NOTHING, ActionKind.CLOSE: NO_MORE}.get(kind, ACTED)
    assert outcomes(browser) == [said]
    page = Html(browser.get(PAGE)).one("main").text
    assert "Our words" not in page
    assert kind not in page.lower().split()
    assert mod.name not in page


def test_each_reporter_is_told(alice, bob, carol, mod, log_in):
    report(alice, bob)
    report(carol, bob)
    decide(mod, about(bob), ActionKind.WARN)
    assert outcomes(log_in(alice)) == outcomes(log_in(carol)) == [ACTED]


def test_who_reports_again_afterwards_is_told_that_we_look_again(alice, bob, carol, mod, log_in):
    report(alice, bob)
    report(carol, bob)
    decide(mod, about(bob), ActionKind.DISMISS)
    report(alice, bob)
    assert outcomes(log_in(alice)) == [LOOKING]
    assert outcomes(log_in(carol)) == [NOTHING]


def test_an_action_that_is_undone_is_looked_at_again(alice, bob, mod, log_in):
    report(alice, bob)
    action_id = decide(mod, about(bob), ActionKind.LIMIT)
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    assert outcomes(log_in(alice)) == [LOOKING]


def test_ones_own_alone(alice, bob, carol, log_in):
    report(carol, bob)
    report(bob, carol)
    assert rows(log_in(alice)) == []
    assert "carol" in rows(log_in(bob))[0]


def test_somebody_who_is_gone_or_suspended(alice, bob, carol, log_in):
    report(alice, bob)
    report(alice, carol)
    restrict(carol, Restriction.SUSPENDED)
    transact(Delete(keys.user_info(bob.user_id)))
    page = Html(log_in(alice).get(PAGE))
    assert [row.text for row in page.all("p", class_="own-report-whom")] == [
        "@carol",
        "Someone who is no longer here",
    ]
    assert not page.all("a", href="/@carol")


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_it_costs_a_unit_and_a_half_for_each_report(alice, log_in, measure):
    browser = log_in(alice)
    for number in range(34):
        report(alice, person(f"other{number}"))
    with measure() as meter:
        browser.get(PAGE)
    calls = [(call.operation, call.units) for call in meter.calls]
    assert calls[1:] == [("Query", 1.5), ("BatchGetItem", 50), ("BatchGetItem", 1)]

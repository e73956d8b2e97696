"""What moderators did about oneself: on the page that says how the account stands, and on a page of each."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.people.cards import moment_text
from feed.publishing.writes import delete_post
from moderation.cases.effects import undo_action
from moderation.cases.writes import answer_appeal, appeal
from moderation.models import ActionKind, Strike
from socialsite.site_settings.site_setup import Rule, SiteRules
from socialsite.table import change, ids, keys
from tests.conftest import HTMX, post
from tests.kept import keep_site_rules
from tests.moderation.cases import (
    AN_HOUR_AGO,
    about,
    about_post,
    decide,
    held_post,
    read_case,
    report,
    waiting_sign_up,
)
from tests.web.html import Html

TOMORROW = (datetime.now(UTC) + timedelta(days=1)).isoformat()


def strike(mod, person, reporter, kind, *posts, rule="spam", **rest) -> str:
    """Someone reports, the moderator decides; returns the id of the action."""
    report(reporter, person, *posts[:1], rule_id=rule)
    return decide(mod, about(person), kind, *posts, rule_id=rule, **rest)


def listed(browser: Client) -> list[str]:
    return [row.text for row in Html(browser.get("/standing")).all("li", class_="strike")]


def shown(browser: Client, action_id: str) -> Html:
    return Html(browser.get(f"/standing/{action_id}"))


def test_who_did_nothing_wrong_has_no_list(bob, log_in):
    page = Html(log_in(bob).get("/standing"))
    assert "Your account is in good standing" in page.one("main").text
    assert not page.all("h2", id="strikes")


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (ActionKind.WARN, "You received a warning"),
        (ActionKind.SENSITIVE, "2 of your posts were marked as sensitive"),
        (ActionKind.HIDE, "2 of your posts were hidden"),
        (ActionKind.RESET, "Parts of your profile were removed"),
        (ActionKind.LIMIT, "Your account was limited"),
        (ActionKind.FREEZE, "Your account was frozen"),
        (ActionKind.SUSPEND, "Your account was suspended"),
    ],
)
def test_each_kind_is_said_in_words_with_the_rule_and_the_moderators_text(
    alice, bob, mod, log_in, kind, says
):
    posts = [post(bob), post(bob)] if "posts" in says else []
    action_id = strike(mod, bob, alice, kind, *posts, text="Please <stop>")
    browser = log_in(bob)
    for text in (*listed(browser), shown(browser, action_id).one("section", id="strike").text):
        assert text.startswith(f"{says} now · Rule: No spam")
        assert "Please <stop>" in text


def test_one_post_is_one_post(alice, bob, mod, log_in):
    strike(mod, bob, alice, ActionKind.HIDE, post(bob))
    assert listed(log_in(bob))[0].startswith("One of your posts was hidden")


def test_a_case_that_is_dismissed_is_not_told(alice, bob, mod, log_in):
    strike(mod, bob, alice, ActionKind.DISMISS)
    assert listed(log_in(bob)) == []


def test_the_newest_is_first(alice, bob, mod, log_in):
    strike(mod, bob, alice, ActionKind.WARN)
    strike(mod, bob, alice, ActionKind.LIMIT)
    assert [row[:12] for row in listed(log_in(bob))] == ["Your account", "You received"]


def test_it_says_until_when_it_holds(alice, bob, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.LIMIT, until=TOMORROW)
    assert f"Until {moment_text(TOMORROW)}" in listed(log_in(bob))[0]
    ended = [Strike.until.set(AN_HOUR_AGO)]
    change(Strike, keys.strike(bob.user_id, action_id), ended)
    assert f"Ended on {moment_text(AN_HOUR_AGO)}" in listed(log_in(bob))[0]
    strike(mod, bob, alice, ActionKind.FREEZE)
    assert "Until a moderator lifts it" in listed(log_in(bob))[0]


def test_what_was_taken_back_is_struck_through(alice, bob, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.LIMIT, text="A rest")
    undo_action(by=mod, case_id=about(bob), action_id=action_id)
    browser = log_in(bob)
    for page in (Html(browser.get("/standing")), shown(browser, action_id)):
        assert page.one("s").text == "Your account was limited"
        assert "Reversed" in page.one("ul", class_="chips").text
        assert not page.all("form", class_="appeal")
    assert "in good standing" in Html(browser.get("/standing")).one("main").text


def test_a_rule_that_is_gone_and_no_rule_at_all_are_not_named(alice, bob, carol, mod, log_in):
    strike(mod, bob, alice, ActionKind.WARN, rule="")
    assert "Rule:" not in listed(log_in(bob))[0]
    strike(mod, carol, alice, ActionKind.WARN)
    keep_site_rules(SiteRules(rules=(Rule("tea", 3, 0, "No tea"),)))
    assert "Rule:" not in listed(log_in(carol))[0]


def test_ones_posts_stand_there_with_a_way_to_them(alice, bob, mod, log_in):
    first, second = post(bob, "Buy my tea"), post(bob, "And my coffee")
    action_id = strike(mod, bob, alice, ActionKind.HIDE, first, second)
    delete_post(by=bob, post_id=second)
    browser = log_in(bob)
    page = shown(browser, action_id)
    posts = [row.text for row in page.all("li", class_="told")]
    assert posts == ["Buy my tea Your post, now", "A post that no longer exists."]
    link = page.one("a", href=f"/@bob/posts/{first}")
    assert browser.get(link["href"]).status_code == 200


def test_a_held_post_that_was_not_let_through(bob, mod, log_in):
    post_id = held_post(bob, "Hold this")
    action_id = decide(mod, about_post(post_id), ActionKind.REFUSE)
    assert listed(log_in(bob))[0].startswith("One of your posts wasn’t published")
    assert "Hold this" in shown(log_in(bob), action_id).one("section", id="strike").text


def test_who_is_suspended_reads_all_of_it(alice, bob, mod, log_in):
    browser, post_id = log_in(bob), post(bob, "Buy my tea")
    hidden = strike(mod, bob, alice, ActionKind.HIDE, post_id)
    strike(mod, bob, alice, ActionKind.SUSPEND, text="Enough of it")
    suspended, _ = listed(browser)
    assert suspended.startswith("Your account was suspended")
    assert "Enough of it" in suspended
    page = shown(browser, hidden)
    assert "Buy my tea" in page.one("li", class_="told").text
    assert not page.all("a", href=f"/@bob/posts/{post_id}")  # they see no page of it


def test_who_was_declined_reads_it(bob, mod, log_in):
    browser, case_id = log_in(bob), waiting_sign_up(bob)
    decide(mod, case_id, ActionKind.DECLINE, text="We are full")
    (row,) = listed(browser)
    assert row.startswith("Your sign-up was declined")
    assert "We are full" in row


def test_nobody_else_sees_it(alice, bob, carol, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.WARN)
    for other in (alice, carol, mod):
        assert listed(log_in(other)) == []
        for extra in ({}, {"headers": HTMX}):
            assert log_in(other).get(f"/standing/{action_id}", **extra).status_code == 404
    assert log_in(bob).get(f"/standing/{ids.new_id()}").status_code == 404
    assert Client().get(f"/standing/{action_id}")["Location"].startswith("/login?next=%2Fstanding")


def test_who_of_the_moderators_it_was_is_never_shown(alice, bob, mod, log_in):
    action_id = strike(mod, bob, alice, ActionKind.FREEZE, text="A rest")
    appeal(person_id=bob.user_id, action_id=action_id, text="Why?")
    answer_appeal(
        by=mod,
        case_id=about(bob),
        action_id=action_id,
        text="Read the rules",
        version=int(read_case(about(bob)).version),
        grant=None,
    )
    for path in ("/standing", f"/standing/{action_id}"):
        page = log_in(bob).get(path).content.decode()
        for secret in (mod.name, mod.handle, mod.user_id, alice.name, alice.user_id):
            assert secret not in page
    assert "A moderator · now Read the rules" in shown(log_in(bob), action_id).one("main").text


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_the_list_costs_one_call_and_a_page_three(alice, bob, mod, log_in, measure):
    action_id = strike(mod, bob, alice, ActionKind.HIDE, post(bob))
    browser = log_in(bob)
    with measure() as meter:
        browser.get("/standing")
    assert [(call.operation, call.units) for call in meter.calls][1:] == [("Query", 0.5)]
    with measure() as meter:
        browser.get(f"/standing/{action_id}")
    calls = [(call.operation, call.units) for call in meter.calls][1:]
    assert calls == [("BatchGetItem", 1), ("Query", 1), ("BatchGetItem", 0.5)]

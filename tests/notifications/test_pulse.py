"""What an open page asks again and again: one small question for the badges and for the pill of new posts."""

import pytest

from feed.likes.writes import like_post
from notifications.reads import get_waiting
from relations.follows.writes import follow
from tests.conftest import HTMX, post
from tests.feed.timelines import point_at
from tests.moderation.restricting import let_wait
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def asked_by(page: Html) -> str:
    return page.one("div", id="pulse")["hx-get"]


def arrive(alice, author) -> None:
    point_at(alice, post(author), author.user_id)


def test_a_waiting_page_asks_for_changes_alone(alice, bob, log_in, drain_stream):
    browser = log_in(alice)
    asked = Html(browser.get("/about")).one("div", id="pulse")["hx-get"]
    assert browser.get(asked, headers=HTMX).status_code == 204
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    changed = Html(browser.get(asked, headers=HTMX))
    assert " ".join(changed.one("span", id="bell-badge").text.split()) == "1 1 new"
    again = changed.one("div", id="pulse")["hx-get"]
    assert browser.get(again, headers=HTMX).status_code == 204


def test_a_waiting_page_hears_that_the_session_ended(alice, log_in):
    browser = log_in(alice)
    browser.post("/logout")
    heard = browser.get("/pulse?seen=", headers=HTMX)
    assert (heard.status_code, heard["HX-Redirect"]) == (204, "/login")


def test_people_who_sign_out_hear_nothing_of_a_bell(alice):
    assert not get_waiting(alice.user_id, "not a secret").is_authenticated


@capacity
def test_nothing_new_is_two_calls_and_one_and_a_half_units(alice, bob, log_in, requests_of):
    browser = log_in(alice)
    arrive(alice, bob)
    for path, calls, units in (
        ("/about", ["BatchGetItem"], 1),
        ("/", ["BatchGetItem", "Query"], 1.5),
    ):
        asked = asked_by(Html(browser.get(path)))
        with requests_of() as requests:
            assert browser.get(asked, headers=HTMX).status_code == 204
        assert (requests.operations, sum(requests.units)) == (calls, units)


@capacity
def test_new_posts_are_counted_once_and_then_ask_no_more_than_before(
    alice, bob, log_in, requests_of
):
    browser = log_in(alice)
    asked = asked_by(Html(browser.get("/")))
    arrive(alice, bob)
    with requests_of() as requests:
        page = Html(browser.get(asked, headers=HTMX))
    assert page.one("a", id="pill").text == "1 new post"
    assert len(requests.made) == 5
    with requests_of() as requests:
        assert browser.get(asked_by(page), headers=HTMX).status_code == 204
    assert (requests.operations, sum(requests.units)) == (["BatchGetItem", "Query"], 1.5)


def test_one_answer_brings_badges_and_pill_and_either_comes_alone(alice, bob, log_in, drain_stream):
    browser, mine = log_in(alice), post(alice)
    asked = asked_by(Html(browser.get("/")))
    like_post(by=bob, post_id=mine, author_id=alice.user_id)
    drain_stream()
    badge = Html(browser.get(asked, headers=HTMX))
    assert badge.one("span", id="bell-badge").text == "1 1 new"
    assert not badge.all(id="pill-slot")
    arrive(alice, bob)
    for address in (asked, asked_by(badge)):
        both = Html(browser.get(address, headers=HTMX))
        assert both.one("span", id="bell-badge").text == "1 1 new"
        assert both.one(id="pill-slot")["hx-swap-oob"] == "true"
    assert browser.get(asked_by(both), headers=HTMX).status_code == 204


def test_pages_elsewhere_ask_for_badges_alone(alice, bob, log_in):
    browser = log_in(alice)
    arrive(alice, bob)
    for path in ("/about", "/local", "/notifications"):
        assert "since" not in asked_by(Html(browser.get(path)))


def test_people_who_are_locked_out_meanwhile_hear_of_no_new_posts(alice, bob, log_in):
    browser = log_in(alice)
    asked = asked_by(Html(browser.get("/")))
    arrive(alice, bob)
    let_wait(alice)
    answer = browser.get(asked, headers=HTMX)
    assert (answer.status_code, answer["HX-Redirect"]) == (204, "/login")

"""The card of the right column: people to follow, fetched when it is seen."""

import pytest
from django.test import Client

from accounts.people.reads import find_user_by_handle
from feed.home.reads import newest_authors
from relations.follows.writes import follow
from socialsite.table import keys, write_batch
from tests.conftest import HTMX, post
from tests.feed.timelines import posting
from tests.relations.nearby import people_you_may_know
from tests.web.html import Html


def test_the_card_of_the_right_column_is_fetched_and_costs_the_page_nothing(
    alice, bob, log_in, drain_stream, requests_of
):
    post(bob)
    drain_stream()
    browser = log_in(alice)
    with requests_of() as requests:
        page = Html(browser.get("/"))
    assert len(requests.made) <= 3
    card = page.one("section", class_="side-card")
    assert card["hx-get"] == "/people-to-follow"
    assert "intersect" in card["hx-trigger"]
    fragment = Html(browser.get(card["hx-get"], headers=HTMX))
    assert fragment.one("button")["id"] == f"side-follow-{bob.user_id}"
    assert not fragment.all("html")


def test_the_card_has_whom_one_may_know_first_then_who_posts_three_in_all(alice, knows_bob, log_in):
    newest = posting(5)
    fragment = Html(log_in(alice).get("/people-to-follow", headers=HTMX))
    assert fragment.handles() == ["bob", *newest[:2]]
    assert [reason.text for reason in fragment.all("p", class_="reason")] == [
        "Followed by Carol 陈",
        *["Posted lately"] * 2,
    ]


def test_the_card_is_three_calls_and_the_authors_once_in_a_while(
    alice, carol, knows_bob, log_in, requests_of
):
    browser = log_in(alice)
    people_you_may_know(viewer=alice)
    newest_authors()
    with requests_of() as requests:
        browser.get("/people-to-follow", headers=HTMX)
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    for handle in posting(4):
        follow(by=carol, user_id=find_user_by_handle(handle))
    write_batch(deletes=[keys.suggestions(alice.user_id)])
    people_you_may_know(viewer=alice)
    with requests_of() as requests:
        browser.get("/people-to-follow", headers=HTMX)
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert requests.made[0].keys == 5
    assert requests.made[2].keys <= 4 * 5
    assert not any(request.is_consistent for request in requests.made)


@pytest.mark.parametrize("path", ["/@bob", "/@bob/followers", "/@BOB/following"])
def test_the_card_beside_a_profile_leaves_that_person_out(alice, knows_bob, log_in, path):
    browser, newest = log_in(alice), posting(5)
    card = Html(browser.get(path)).one("section", class_="side-card")
    assert card["hx-get"] == "/people-to-follow?besides=bob"
    assert Html(browser.get(card["hx-get"], headers=HTMX)).handles() == newest[:3]


def test_the_card_beside_a_profile_leaves_out_who_only_posts_here(alice, log_in):
    newest = posting(5)
    address = f"/people-to-follow?besides={newest[1]}"
    fragment = Html(log_in(alice).get(address, headers=HTMX))
    assert fragment.handles() == [newest[0], *newest[2:4]]


@pytest.mark.parametrize("beside", ["", "nobody_here", "<b>", "x" * 3000])
def test_a_strange_handle_leaves_nobody_out(alice, log_in, beside):
    newest = posting(3)
    answer = log_in(alice).get("/people-to-follow", {"besides": beside}, headers=HTMX)
    assert Html(answer).handles() == newest


@pytest.mark.parametrize("page", ["queue", "overview", "log", "invites", "site"])
def test_pages_of_moderation_have_no_card(admin, log_in, page):
    expect_no_card(log_in(admin).get(f"/moderation/{page}"))


def test_the_page_of_operators_has_no_card(admin, log_in):
    expect_no_card(log_in(admin).get("/operations/worker"))


def expect_no_card(answer) -> None:
    assert answer.status_code == 200
    assert b"/people-to-follow" not in answer.content


def test_without_htmx_the_card_is_the_explore_page(alice, log_in):
    assert log_in(alice).get("/people-to-follow")["Location"] == "/explore"


def test_the_card_is_for_members(table):
    assert not Html(Client().get("/local")).all("section", class_="side-card")


def test_who_follows_all_is_told_so(alice, log_in):
    answer = log_in(alice).get("/people-to-follow", headers=HTMX).content.decode()
    assert "You follow everyone who’s posted lately." in answer


def test_a_button_of_the_card_keeps_its_own_id_when_it_was_pressed(alice, bob, log_in):
    browser = log_in(alice)
    for place, prefix in (("side-", "side-"), ("", ""), ("<b>", "")):
        answer = browser.post("/@bob/follow", {"on": "1", "place": place}, headers=HTMX)
        assert Html(answer).one("button")["id"] == f"{prefix}follow-{bob.user_id}"

"""The page of notifications, its badges, and marking as read exactly what was seen."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Bell
from feed.likes.writes import like_post
from notifications.delivery import KEPT_DAYS
from notifications.writes import read_notifications
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from socialsite import keys
from socialsite.clock import utc_now
from socialsite.streams.ledger import Ledger
from socialsite.table import reading
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.feed.expiring import clock_at, remove_expired
from tests.looks import broken_invariants
from tests.notifications.told import badge, read_page, shown, told, waiting
from tests.web.html import Html

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


@pytest.fixture
def liked(alice, bob, drain_stream) -> str:
    mine = post(alice)
    like_post(by=bob, post_id=mine, author_id=alice.user_id)
    drain_stream()
    return mine


def mark_read(browser: Client, up_to: object, **extra):
    return browser.post("/notifications/read", {"up_to": up_to}, **extra)


@pytest.mark.usefixtures("liked")
def test_a_badge_counts_what_is_new_and_the_title_says_it_too(alice, log_in):
    browser = log_in(alice)
    assert badge(browser) == "1 1 new"
    title = Html(browser.get("/about")).one("title").text
    assert " ".join(title.split()).startswith("(1)")


def test_the_badge_beside_friends_counts_waiting_requests(alice, bob, log_in, drain_stream):
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    assert badge(log_in(alice), "requests") == "1 1 request is waiting"


@pytest.mark.usefixtures("liked")
def test_showing_the_page_marks_nothing_as_read(alice, log_in):
    """A browser may fetch pages ahead. The page says itself that it was seen."""
    browser = log_in(alice)
    browser.get("/notifications", headers={"Sec-Purpose": "prefetch"})
    page = Html(browser.get("/notifications"))
    assert page.one("form", hx_post="/notifications/read")["hx-trigger"] == "load"
    assert page.value("up_to") == str(waiting(alice).changes)
    assert page.one("noscript").text == "Mark all as read"
    assert waiting(alice).notifications == 1


@pytest.mark.usefixtures("liked")
def test_what_was_seen_is_read_and_stays_on_the_page(alice, log_in):
    browser = log_in(alice)
    answer = read_page(browser)
    assert answer.one("span", id="bell-badge").text.strip() == ""
    assert badge(browser) == ""
    page = Html(browser.get("/notifications"))
    assert not page.all("form", action="/notifications/read")
    assert not page.all("div", class_="note note-new")
    assert len(told(alice)) == 1


def test_a_like_that_came_after_the_page_stays_new(alice, carol, liked, log_in, drain_stream):
    browser = log_in(alice)
    tokens, all_of_it = shown(browser), Html(browser.get("/notifications")).value("up_to")
    like_post(by=carol, post_id=liked, author_id=alice.user_id)
    drain_stream()
    browser.post("/notifications/read", {"shown": tokens})
    mark_read(browser, all_of_it)
    assert waiting(alice).notifications == 1
    assert told(alice) == ["Bob and Carol liked your post"]


def test_a_like_after_reading_opens_a_new_line(alice, carol, liked, drain_stream):
    read_notifications(by=alice, up_to=waiting(alice).changes)
    like_post(by=carol, post_id=liked, author_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Carol liked your post", "Bob liked your post"]
    assert waiting(alice).notifications == 1


def test_a_like_that_comes_while_the_worker_plans_is_planned_anew(
    alice, carol, liked, drain_stream, monkeypatch
):
    """The person reads between the worker's look at the bell and its commit: nothing is lost, nothing comes twice."""
    plain, asked = Ledger._planned, []

    def read_meanwhile(self):
        actions = plain(self)
        if actions and not asked:
            asked.append(read_notifications(by=alice, up_to=10_000))
        return actions

    monkeypatch.setattr(Ledger, "_planned", read_meanwhile)
    like_post(by=carol, post_id=liked, author_id=alice.user_id)
    drain_stream()
    assert told(alice) == ["Carol liked your post", "Bob liked your post"]
    assert waiting(alice).notifications == 1


@pytest.mark.usefixtures("liked")
@pytest.mark.parametrize("times", [1, 2])
def test_reading_twice_is_reading_once(alice, log_in, times):
    browser = log_in(alice)
    for _ in range(times):
        assert mark_read(browser, 99)["Location"] == "/notifications"
    assert waiting(alice).notifications == 0


@pytest.mark.parametrize("up_to", ["", "many", "1.5"])
def test_nonsense_is_refused(alice, log_in, up_to):
    assert mark_read(log_in(alice), up_to).status_code == 400
    assert log_in(alice).get("/notifications?show=all").status_code == 400


def test_without_notifications_the_page_says_what_will_come(alice, log_in):
    page = log_in(alice).get("/notifications").content.decode()
    assert "Nothing yet." in page
    assert "You’ve reached the end." not in page


@capacity
def test_a_page_of_twenty_is_three_calls(alice, bob, carol, log_in, drain_stream, requests_of):
    mine = [post(alice, f"Number {number}") for number in range(12)]
    for post_id in mine:
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
        like_post(by=carol, post_id=post_id, author_id=alice.user_id)
        answer(bob, alice, post_id)
    drain_stream()
    browser = log_in(alice)
    with requests_of() as requests:
        browser.get("/notifications")
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert requests.made[2].keys <= 100


def test_paging_reaches_every_notification_once(alice, bob, drain_stream, log_in):
    mine = [post(alice, f"Number {number}") for number in range(45)]
    for post_id in mine:
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    browser, address, seen = log_in(alice), "/notifications", []
    while address:
        page = Html(browser.get(address))
        seen += [one["href"].rpartition("/")[2] for one in page.all("a", class_="note-post")]
        address = page.link("next")
    assert sorted(seen) == sorted(mine)


def test_more_groups_than_a_badge_shows_keep_the_bell_small(alice, bob, drain_stream):
    for some in (98, 12):  # what is new at one moment stands in no order, so the last come later
        for number in range(some):
            mine = post(alice, f"Number {number}")
            like_post(by=bob, post_id=mine, author_id=alice.user_id)
        drain_stream()
    answer(bob, alice, mine)
    drain_stream()
    assert waiting(alice).notifications == 99
    assert waiting(alice).notifications_text == "99+"
    bell = reading.get(Bell, keys.bell(alice.user_id))
    assert len(str(bell.serialize())) < 8192
    assert told(alice)[:2] == ["Bob replied", "Bob liked several of your posts"]
    assert broken_invariants() == {}


def test_many_people_told_in_one_batch_are_all_told(alice, drain_stream):
    people = [person(f"person{number}") for number in range(40)]
    for one in people:
        follow(by=alice, user_id=one.user_id)
    drain_stream()
    assert [told(one) for one in people] == [["Alice followed you"]] * 40
    assert broken_invariants() == {}


@pytest.mark.usefixtures("liked")
def test_what_expired_unseen_is_no_fault_and_goes_when_its_owner_looks(alice, log_in):
    with clock_at(utc_now() + timedelta(days=KEPT_DAYS + 1)):
        remove_expired()
        assert broken_invariants() == {}
        browser = log_in(alice)
        mark_read(browser, Html(browser.get("/notifications")).value("up_to"))
        assert waiting(alice).notifications == 0

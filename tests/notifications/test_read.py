"""The page of notifications, its badges, and what is marked as read."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Bell
from accounts.people.restrictions import Restriction
from feed.likes.writes import like_post
from notifications.delivery import KEPT_DAYS
from notifications.reads import get_waiting
from notifications.writes import read_notifications
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from socialsite import keys
from socialsite.clock import utc_now
from socialsite.streams.ledger import Ledger
from socialsite.table import reading
from tests.conftest import HTMX, person, post
from tests.feed.scenes import answer, clock_at, remove_expired
from tests.feed.timelines import point_at
from tests.looks import broken_invariants
from tests.moderation.cases import let_wait, restrict
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


# A page reads the notifications that it shows: what stood on none stays new, also in other windows.


@pytest.mark.parametrize(
    ("only", "rest"), [("mentions", {"l", "f"}), ("follows", {"l", "r"}), ("", set())]
)
def test_a_tab_reads_what_it_shows_and_leaves_the_rest_new(
    alice, bob, liked, log_in, drain_stream, only, rest
):
    answer(bob, alice, liked)
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    browser = log_in(alice)
    read_page(browser, f"/notifications?show={only}" if only else "/notifications")
    assert {group[0] for group in waiting(alice).unseen} == rest
    assert badge(browser)[:1] == (str(len(rest)) if rest else "")


def test_what_stands_on_a_later_page_stays_new_until_it_is_shown(alice, bob, log_in, drain_stream):
    for number in range(25):
        like_post(by=bob, post_id=post(alice, f"{number}"), author_id=alice.user_id)
    drain_stream()
    browser = log_in(alice)
    read_page(browser)
    assert waiting(alice).notifications == 5
    read_page(browser, str(Html(browser.get("/notifications")).link("next")))
    assert waiting(alice).notifications == 0


def test_where_more_is_new_than_is_shown_all_of_it_can_be_read(alice, bob, log_in, drain_stream):
    for number in range(25):
        like_post(by=bob, post_id=post(alice, f"{number}"), author_id=alice.user_id)
    drain_stream()
    browser = log_in(alice)
    page = Html(browser.get("/notifications"))
    assert not any("Mark all" in one.text for one in page.all("noscript"))
    browser.post("/notifications/read", {"up_to": page.value("up_to")})
    assert waiting(alice).notifications == 0


@pytest.mark.usefixtures("liked")
def test_a_window_from_before_does_not_read_what_came_since(
    alice, carol, liked, log_in, drain_stream
):
    phone, desktop = log_in(alice), log_in(alice)
    old = shown(desktop)
    read_page(phone)
    like_post(by=carol, post_id=liked, author_id=alice.user_id)
    drain_stream()
    desktop.post("/notifications/read", {"shown": old})
    assert waiting(alice).notifications == 1


@pytest.mark.usefixtures("liked")
def test_what_shows_nothing_any_more_is_on_no_badge_of_the_page_and_is_read_with_it(
    alice, bob, log_in
):
    restrict(bob, Restriction.SUSPENDED)
    browser = log_in(alice)
    page = browser.get("/notifications")
    assert "Nothing yet." in page.content.decode()
    assert Html(page).one("span", id="bell-badge").text.strip() == ""
    assert not Html(page).one("title").text.strip().startswith("(")
    read_page(browser)
    assert waiting(alice).notifications == 0


@pytest.mark.usefixtures("liked")
def test_nonsense_reads_nothing(alice, log_in):
    log_in(alice).post("/notifications/read", {"shown": ["l", "x" * 500, "’"]})
    assert waiting(alice).notifications == 1


# What an open page asks again and again: one small question for the badges and for the pill of new posts.


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

"""A page reads the notifications that it shows: what stood on none stays new, also in other windows."""

import pytest

from accounts.people.restrictions import Restriction
from feed.likes.writes import like_post
from relations.follows.writes import follow
from tests.conftest import post
from tests.feed.answers import answer
from tests.moderation.restricting import restrict
from tests.notifications.told import badge, read_page, shown, waiting
from tests.web.html import Html


@pytest.fixture
def liked(alice, bob, drain_stream) -> str:
    mine = post(alice)
    like_post(by=bob, post_id=mine, author_id=alice.user_id)
    drain_stream()
    return mine


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

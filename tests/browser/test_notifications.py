"""Notifications as people meet them: a badge on every page, read as soon as they are seen, answered in place."""

import pytest
from playwright.sync_api import Page, expect

from feed.likes.writes import like_post
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from tests.browser import steps
from tests.browser.test_new_posts_pill import HIDDEN
from tests.conftest import post
from tests.feed.answers import answer

A_PULSE = 15_500  # milliseconds; a waiting page asks every 15 seconds
pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def told(alice, bob, carol, drain_stream) -> None:
    """Alice is told something of every kind that others cause."""
    mine = post(alice, "What a morning, and what a long walk along the river it became after all")
    for fan in (bob, carol):
        like_post(by=fan, post_id=mine, author_id=alice.user_id)
        follow(by=fan, user_id=alice.user_id)
    answer(bob, alice, mine, "Frost on every roof")
    post(carol, "Did @alice see it?")
    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()


def badge(page: Page) -> object:
    return page.get_by_role("navigation", name="Main").locator("#bell-badge .nav-badge")


def test_a_badge_comes_to_a_page_that_waits_and_into_its_title(alice, bob, signed_in, drain_stream):
    page = signed_in(alice)
    page.clock.install()
    page.goto("/about")
    title = page.title()
    asked: list[str] = []
    page.on("request", lambda request: "/pulse" in request.url and asked.append(request.url))
    page.evaluate(HIDDEN, True)
    page.clock.fast_forward(10 * A_PULSE)
    assert asked == [], "a hidden page does not ask"
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    page.evaluate(HIDDEN, False)
    expect(badge(page)).to_contain_text("1")
    expect(page).to_have_title(f"(1) {title}")

    request_friend(by=bob, user_id=alice.user_id)
    drain_stream()
    page.clock.fast_forward(A_PULSE)
    expect(page).to_have_title(f"(2) {title}")


@pytest.mark.usefixtures("told")
def test_what_is_shown_is_read_in_every_window_and_answered_there(alice, signed_in, look):
    page = signed_in(alice)
    other = page.context.new_page()
    other.goto("/about")
    expect(badge(other)).to_contain_text("5")
    page.goto("/notifications")
    expect(badge(page)).to_have_count(0)
    expect(page).to_have_title("Notifications · socialsite")
    expect(page.locator(".note-new")).to_have_count(5)
    assert look(page) == []
    other.reload()
    expect(badge(other)).to_have_count(0)
    page.reload()
    expect(page.locator(".note")).to_have_count(5)
    expect(page.locator(".note-new")).to_have_count(0)

    reply = steps.card(page, "Frost on every roof").get_by_role("link", name="Reply", exact=True)
    reply.click()
    page.get_by_label("Reply to @bob").fill("And no coffee left")
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(steps.toast(page)).to_contain_text("Reply published.")
    for address in ("/notifications?show=follows", "/settings/notifications"):
        page.goto(address)
        assert look(page) == []

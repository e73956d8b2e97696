"""A post that disappears by itself leaves the pages on which it is open, at its second."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from feed.pointers import Pointer
from feed.services.quote import quote
from relations.services.follow import follow
from socialsite.table import ids
from tests.browser import steps
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import post
from tests.feed.answers import answer
from tests.feed.expiring import clock_at, end_of, ending_post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

HOUR = "01:00:01"


def pass_time(page: Page, time: str) -> None:
    """Once the script that looks at the clock is there."""
    page.wait_for_load_state("networkidle")
    page.clock.fast_forward(time)


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    """Alice's browser, whose clock the test turns."""
    follow(by=alice, user_id=bob.user_id)
    page = signed_in(alice)
    page.clock.install()
    return page


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
def test_its_author_chooses_when_it_goes(signed_in, alice, size, scripts):
    page = signed_in(alice, viewport=size, java_script_enabled=scripts)
    page.goto("/posts/new")
    steps.composer(page).fill("Not for long")
    page.locator(".part-when > summary").click()
    page.get_by_label("How long it stays").select_option("1d")
    expect(page.get_by_text("Replies to it stay.")).to_be_visible()
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.card(page, "Not for long")).to_contain_text("Disappears in 24 hours")


def test_an_open_page_lets_the_card_go_and_says_so(page, alice, bob, drain_stream, look):
    post(bob, "Stays")
    ending_post(bob, "Goes")
    drain_stream()
    page.goto("/")
    card = steps.card(page, "Goes")
    expect(card).to_contain_text("Disappears in 1 hour")
    assert look(page) == []
    card.locator(".post-time").focus()
    pass_time(page, "50:00")
    expect(card).to_be_visible()
    pass_time(page, "10:01")
    expect(card).to_have_count(0)
    expect(page.locator("#toasts")).to_contain_text("A post has disappeared.")
    expect(steps.card(page, "Stays")).to_be_focused()


def test_a_begun_reply_is_not_lost(page, bob, drain_stream):
    ending_post(bob, "Goes")
    drain_stream()
    page.goto("/")
    card = steps.card(page, "Goes")
    card.get_by_role("link", name="Reply").click()
    text = page.locator("[id^=reply-] textarea[name=content]")
    text.fill("I was just about to say")
    pass_time(page, HOUR)
    expect(card).to_have_count(0)
    expect(text).to_have_value("I was just about to say")


def test_a_conversation_keeps_the_replies(page, alice, bob, carol, drain_stream):
    post_id = ending_post(bob, "Goes")
    first = answer(carol, bob, post_id, "I answered")
    drain_stream()
    page.goto(f"/@bob/posts/{post_id}")
    pass_time(page, HOUR)
    expect(page.get_by_text("This post has disappeared.")).to_be_visible()
    expect(page.get_by_text("I answered")).to_be_visible()
    with clock_at(end_of(bob, post_id) + timedelta(seconds=1)):
        page.goto(f"/@carol/posts/{first}")
        expect(page.get_by_text("I answered")).to_be_visible()
        expect(page.locator(".above")).not_to_contain_text("Goes")


def test_a_quoting_post_stays_without_it(page, bob, carol, drain_stream):
    where = Pointer(ending_post(bob, "Goes"), bob.user_id)
    quote(by=carol, post=where, content="Look at this", nonce=ids.new_id())
    drain_stream()
    page.goto("/@carol")
    expect(page.locator(".quoted")).to_contain_text("Goes")
    pass_time(page, HOUR)
    expect(page.locator(".quoted")).to_have_text("The quoted post can’t be shown.")
    expect(steps.card(page, "Look at this")).to_be_visible()

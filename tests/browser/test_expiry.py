"""A post that disappears by itself leaves the pages on which it is open, at its second."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from feed.posts.reads import Pointer
from feed.sharing.writes import quote
from relations.follows.writes import follow
from socialsite.table import ids
from tests.browser import steps
from tests.conftest import post
from tests.feed.answers import answer
from tests.feed.expiring import clock_at, end_of, ending_post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

HOUR = "01:00:01"


def pass_time(time: str, *pages: Page) -> None:
    """Once the script that looks at the clock is there. The pages of a browser have one clock."""
    for page in pages:
        page.wait_for_load_state("networkidle")
    pages[0].clock.fast_forward(time)


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    """Alice's browser, whose clock the test turns."""
    follow(by=alice, user_id=bob.user_id)
    page = signed_in(alice)
    page.clock.install()
    return page


def test_an_open_page_lets_the_card_go_and_says_so(page, alice, bob, drain_stream, look):
    post(bob, "Stays")
    ending_post(bob, "Goes")
    drain_stream()
    page.goto("/")
    card = steps.card(page, "Goes")
    expect(card).to_contain_text("Disappears in 1 hour")
    assert look(page) == []
    answering = page.context.new_page()
    answering.goto("/")
    steps.card(answering, "Goes").get_by_role("link", name="Reply").click()
    text = answering.locator("[id^=reply-] textarea[name=content]")
    text.fill("I was just about to say")

    card.locator(".post-time").focus()
    pass_time("50:00", page, answering)
    expect(card).to_be_visible()
    pass_time("10:01", page, answering)
    expect(card).to_have_count(0)
    expect(page.locator("#toasts")).to_contain_text("A post has disappeared.")
    expect(steps.card(page, "Stays")).to_be_focused()
    expect(steps.card(answering, "Goes")).to_have_count(0)
    expect(text).to_have_value("I was just about to say")  # a begun reply is not lost


def test_replies_and_quoting_posts_stay_without_it(page, bob, carol, drain_stream):
    post_id = ending_post(bob, "Goes")
    first = answer(carol, bob, post_id, "I answered")
    where = Pointer(post_id, bob.user_id)
    quote(by=carol, post=where, content="Look at this", nonce=ids.new_id())
    drain_stream()
    page.goto(f"/@bob/posts/{post_id}")
    quoting = page.context.new_page()
    quoting.goto("/@carol")
    expect(quoting.locator(".quoted")).to_contain_text("Goes")
    pass_time(HOUR, page, quoting)
    expect(page.get_by_text("This post has disappeared.")).to_be_visible()
    expect(page.get_by_text("I answered")).to_be_visible()
    expect(quoting.locator(".quoted")).to_have_text("The quoted post can’t be shown.")
    expect(steps.card(quoting, "Look at this")).to_be_visible()
    with clock_at(end_of(bob, post_id) + timedelta(seconds=1)):
        page.goto(f"/@carol/posts/{first}")
        expect(page.get_by_text("I answered")).to_be_visible()
        expect(page.locator(".above")).not_to_contain_text("Goes")

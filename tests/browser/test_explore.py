"""Explore on a phone and on a wide screen: posts that people like today, topics, people, and the way to Local."""

import pytest
from playwright.sync_api import expect

from feed.explore.reads import forget_explored
from feed.explore.writes import SLOWLY, rank_liked_today
from tags.trending import count_topics
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import post
from tests.feed.liked import elder, liked_post
from tests.moderation.staff import set_up

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_one_finds_posts_topics_and_people_and_local_in_two_presses(
    alice, bob, admin, signed_in, drain_stream, look
):
    set_up(admin, topics_shown=True)
    authors = [elder(f"author{number:02}") for number in range(12)]
    for one in authors[:6]:
        post(one, "Fresh #bread")
    post(bob, "Hello")
    for number, one in enumerate(authors):
        liked_post(one, likes=30 - number, content=f"Liked {number:02}")
    drain_stream()
    rank_liked_today()
    count_topics()
    forget_explored()

    page = signed_in(alice)
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Explore").click()
    now = page.get_by_role("region", name="Many talk about this now")
    expect(now.get_by_role("link")).to_have_text(["bread 6 people"])
    expect(page.get_by_role("region", name="New here")).to_contain_text("Bob Brandt")
    liked = page.get_by_role("region", name="Liked today")
    expect(liked.get_by_role("article").first).to_contain_text("Liked 00")
    liked.get_by_text("How this list is made").click()
    expect(liked.get_by_text(f"(hours + {SLOWLY})")).to_be_visible()
    assert look(page, sizes=(PHONE, DESKTOP)) == []

    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(liked.get_by_role("article")).to_have_count(12)
    page.get_by_role("navigation", name="Explore").get_by_role("link", name="Local").click()
    expect(page.get_by_role("heading", name="Local")).to_be_visible()
    expect(page.get_by_role("article").first).to_contain_text("Hello")

"""Older posts come by themselves while one scrolls, each once; the back button finds the same place again."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import post

POSTS = 65  # four pages
TOP = "(post) => post.getBoundingClientRect().top"
IS_THERE = """([id, top]) => {
    const post = document.getElementById(id);
    return post && Math.abs(post.getBoundingClientRect().top - top) < 2;
}"""


@pytest.fixture
def texts(bob) -> list[str]:
    """What Bob posted, newest first."""
    texts = [f"Number {number:02} of Bob" for number in range(POSTS)]
    for text in texts:
        post(bob, text)
    return texts[::-1]


def shown(page: Page) -> list[str]:
    return [text.strip() for text in steps.posts(page).locator(".post-text").all_inner_texts()]


def test_scrolling_shows_every_post_once_back_finds_the_place_and_the_link_gives_the_focus_on(
    texts, alice, bob, signed_in
):
    page = signed_in(alice)
    page.goto("/@bob")
    post(bob, "In between")  # what is written meanwhile shifts nothing
    steps.scroll_to_end(page)
    assert shown(page) == texts
    expect(page.get_by_role("link", name="Older posts")).to_have_count(0)
    steps.same_place(page, "/@bob")

    card = steps.card(page, texts[45])
    card.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 1000
    place = [card.get_attribute("id"), card.evaluate(TOP)]
    card.locator(".post-time").click()
    expect(steps.title(page)).to_have_text("Post")
    page.evaluate("history.back()")
    steps.same_place(page, "/@bob")
    page.wait_for_function(IS_THERE, arg=place)

    page = signed_in(alice, viewport={"width": 1366, "height": 300})
    page.goto("/@bob")
    # In a window this low the link is still there: what loads by itself begins 1,200 px before it.
    link = page.get_by_role("link", name="Older posts")
    link.evaluate("(link) => link.focus({ preventScroll: true })")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")

    expect(steps.posts(page).nth(20)).to_be_focused()

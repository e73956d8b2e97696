"""Older posts come by themselves while one scrolls, each once; the back button finds the same place again."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import post

POSTS = 65  # four pages


@pytest.fixture
def texts(bob) -> list[str]:
    """What Bob posted, newest first."""
    texts = [f"Number {number:02} of Bob" for number in range(POSTS)]
    for text in texts:
        post(bob, text)
    return texts[::-1]


def shown(page: Page) -> list[str]:
    return [text.strip() for text in steps.posts(page).locator(".post-text").all_inner_texts()]


def test_every_post_is_shown_once_down_to_the_first(texts, alice, signed_in):
    page = signed_in(alice)
    page.goto("/@bob")
    steps.scroll_to_end(page)

    assert shown(page) == texts
    expect(page.get_by_role("link", name="Older posts")).to_have_count(0)
    steps.same_place(page, "/@bob")


def test_a_post_written_meanwhile_shifts_nothing(texts, alice, bob, signed_in):
    page = signed_in(alice)
    page.goto("/@bob")
    post(bob, "In between")
    steps.scroll_to_end(page)

    assert shown(page) == texts


def test_the_local_page_goes_on_too(texts, alice, drain_stream, signed_in):
    drain_stream()
    page = signed_in(alice)
    page.goto("/local")
    for last_of_page in (texts[19], texts[39], texts[59], texts[64]):
        steps.card(page, last_of_page).scroll_into_view_if_needed()

    assert shown(page) == texts


def test_the_back_button_returns_to_the_same_place(texts, alice, signed_in):
    page = signed_in(alice)
    page.goto("/@bob")
    steps.scroll_to_end(page)
    card = steps.card(page, texts[45])
    card.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    assert before > 1000

    card.locator(".post-time").click()
    expect(steps.title(page)).to_have_text("Post")
    page.evaluate("history.back()")

    steps.same_place(page, "/@bob")
    expect(card).to_be_in_viewport()
    assert page.evaluate("scrollY") == pytest.approx(before, abs=2)


def test_the_link_works_with_the_keyboard_and_the_focus_goes_to_the_first_older_post(
    texts, alice, signed_in
):
    page = signed_in(alice, viewport={"width": 1366, "height": 300})
    page.goto("/@bob")
    # In a window this low the link is still there: what loads by itself begins 1,200 px before it.
    link = page.get_by_role("link", name="Older posts")
    link.evaluate("(link) => link.focus({ preventScroll: true })")
    expect(link).to_be_focused()
    page.keyboard.press("Enter")

    expect(steps.posts(page).nth(20)).to_be_focused()

"""A long post is folded in lists and opens without leaving them, with scripts and without."""

import pytest
from playwright.sync_api import expect

from tests.browser import steps
from tests.browser.screens import PHONE, SIZES
from tests.conftest import post

LINES = "\n".join(f"Line {number}" for number in range(20))
PARAGRAPH = "A sentence of plain words, of which there are many here. " * 8
CHINESE = "这是一段很长的话，没有空格，也没有换行。" * 24
MOST_LINES = 13
LINES_OF = "(text) => text.clientHeight / parseFloat(getComputedStyle(text).lineHeight)"
HEIGHT = "(text) => [text.clientHeight, text.scrollHeight]"

with_and_without_scripts = pytest.mark.parametrize("scripts", [True, False], ids=["js", "no js"])
sizes = pytest.mark.parametrize("viewport", SIZES)


@with_and_without_scripts
@sizes
def test_it_opens_and_closes_in_its_place(alice, visitor, scripts, viewport):
    post(alice, LINES)
    page = visitor(java_script_enabled=scripts, viewport=viewport)
    page.goto("/@alice")
    text = steps.posts(page).locator(".post-text")
    assert 9 < text.evaluate(LINES_OF) < MOST_LINES
    page.get_by_text("Show more").click()
    shown, whole = text.evaluate(HEIGHT)
    assert shown == whole
    page.get_by_text("Show less").click()
    assert text.evaluate(LINES_OF) < MOST_LINES
    steps.same_place(page, "/@alice")


@sizes
@pytest.mark.parametrize("content", [LINES, PARAGRAPH, CHINESE], ids=["lines", "words", "chinese"])
def test_no_post_is_taller_than_about_twelve_lines_and_no_button_shows_nothing(
    alice, visitor, viewport, content
):
    post(alice, content)
    page = visitor(viewport=viewport)
    page.goto("/@alice")
    text = steps.posts(page).locator(".post-text")
    lines, (shown, whole) = text.evaluate(LINES_OF), text.evaluate(HEIGHT)
    assert lines < MOST_LINES
    assert page.get_by_text("Show more").is_visible() == (whole > shown)


def test_what_the_keyboard_reaches_in_a_folded_text_is_seen(alice, visitor):
    post(alice, LINES + "\nhttps://example.org/")
    page = visitor()
    page.goto("/@alice")
    link = steps.posts(page).locator(".post-text a")
    link.focus()
    expect(link).to_be_in_viewport()
    shown, whole = steps.posts(page).locator(".post-text").evaluate(HEIGHT)
    assert shown == whole


def test_a_click_on_show_more_does_not_open_the_post(alice, visitor):
    post(alice, LINES)
    page = visitor()
    page.goto("/@alice")
    page.get_by_text("Show more").click()
    expect(page.get_by_text("Show less")).to_be_visible()
    steps.same_place(page, "/@alice")


def test_its_own_page_shows_it_whole(alice, visitor):
    post_id = post(alice, LINES)
    page = visitor(viewport=PHONE)
    page.goto(f"/@alice/posts/{post_id}")
    expect(page.get_by_text("Line 19")).to_be_in_viewport()
    expect(page.get_by_text("Show more")).to_have_count(0)

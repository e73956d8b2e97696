"""A long post is folded in lists and opens without leaving them, with scripts and without."""

import pytest
from playwright.sync_api import expect

from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import post

LINES = "\n".join(f"Line {number}" for number in range(20))
PARAGRAPH = "A sentence of plain words, of which there are many here. " * 8
CHINESE = "这是一段很长的话，没有空格，也没有换行。" * 24
MOST_LINES = 13
LINES_OF = "(text) => text.clientHeight / parseFloat(getComputedStyle(text).lineHeight)"
HEIGHT = "(text) => [text.clientHeight, text.scrollHeight]"

sizes = pytest.mark.parametrize("viewport", SIZES)


@sizes
def test_it_opens_and_closes_in_its_place_with_scripts_and_without(alice, visitor, viewport):
    post(alice, LINES + "\nhttps://example.org/")
    for has_scripts in (True, False):
        page = visitor(java_script_enabled=has_scripts, viewport=viewport)
        page.goto("/@alice")
        text = steps.posts(page).locator(".post-text")
        assert 9 < text.evaluate(LINES_OF) < MOST_LINES
        page.get_by_text("Show more").click()
        expect(page.get_by_text("Show less")).to_be_visible()
        shown, whole = text.evaluate(HEIGHT)
        assert shown == whole
        page.get_by_text("Show less").click()
        expect(page.get_by_text("Show more")).to_be_visible()
        assert text.evaluate(LINES_OF) < MOST_LINES
        steps.same_place(page, "/@alice")  # the post itself was not opened

        text.locator("a").focus()  # what the keyboard reaches in a folded text is seen
        expect(text.locator("a")).to_be_in_viewport()
        shown, whole = text.evaluate(HEIGHT)
        assert shown == whole


@sizes
def test_no_post_is_taller_than_about_twelve_lines_and_no_button_shows_nothing(
    alice, visitor, viewport
):
    contents = {"Line": LINES, "sentence": PARAGRAPH, "很长": CHINESE}
    for content in contents.values():
        post(alice, content)
    page = visitor(viewport=viewport)
    page.goto("/@alice")
    for name in contents:
        card = steps.card(page, name)
        text = card.locator(".post-text")
        lines, (shown, whole) = text.evaluate(LINES_OF), text.evaluate(HEIGHT)
        assert lines < MOST_LINES, name
        assert card.get_by_text("Show more").is_visible() == (whole > shown), name

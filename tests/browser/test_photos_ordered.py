"""Photos in the composer are ordered and removed by buttons, which keep the focus."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import photographs as photos
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    photos.choose(page, photos.files(3))
    photos.expect_there(page, 3)
    photos.describe(page, "one", "two", "three")
    return page


def test_with_the_keyboard_photos_are_moved_and_removed_and_the_focus_is_kept(page):
    steps.tab_to(page, photos.description(page, 1))
    page.keyboard.type(" heron")
    steps.tab_to(page, photos.tile(page, 1).get_by_role("button", name="Move later"))
    page.keyboard.press("Enter")
    expect(photos.status(page)).to_have_text("Photo 2 of 3")
    photos.expect_order(page, "two", "one heron", "three")
    expect(photos.tile(page, 2).get_by_role("button", name="Move later")).to_be_focused()
    for _ in range(2):  # then it is the last: nothing happens, and the focus stays
        page.keyboard.press("Space")
        photos.expect_order(page, "two", "three", "one heron")
        expect(photos.tile(page, 3).get_by_role("button", name="Move later")).to_be_focused()
    photos.press(page, 3, "Move earlier")
    photos.expect_order(page, "two", "one heron", "three")
    photos.description(page, 1).press("Control+Enter")  # to the text, and nothing is posted
    expect(steps.composer(page)).to_be_focused()

    steps.tab_to(page, photos.tile(page, 2).get_by_role("button", name="Remove"))
    page.keyboard.press("Enter")
    expect(photos.status(page)).to_have_text("Photo removed.")
    photos.expect_order(page, "two", "three")
    for count in (1, 0):
        expect(photos.tile(page, count + 1).get_by_role("button", name="Remove")).to_be_focused()
        page.keyboard.press("Enter")
        expect(photos.tiles(page)).to_have_count(count)
    expect(page.get_by_label("Add photos")).to_be_focused()
    photos.choose(page, photos.files(4))  # there is room for all again
    photos.expect_there(page, 4)

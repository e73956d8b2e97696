"""Photos in the composer are ordered and removed by buttons, which keep the focus, and by dragging."""

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


def test_buttons_move_a_photo_keep_the_focus_and_say_where_it_is(page):
    later = photos.tile(page, 1).get_by_role("button", name="Move later")
    later.press("Enter")
    expect(photos.status(page)).to_have_text("Photo 2 of 3")
    photos.expect_order(page, "two", "one", "three")
    moved = photos.tile(page, 2).get_by_role("button", name="Move later")
    expect(moved).to_be_focused()
    page.keyboard.press("Space")
    photos.expect_order(page, "two", "three", "one")
    page.keyboard.press("Space")  # it is the last: nothing happens, and the focus stays
    photos.expect_order(page, "two", "three", "one")
    expect(photos.tile(page, 3).get_by_role("button", name="Move later")).to_be_focused()
    photos.press(page, 3, "Move earlier")
    photos.expect_order(page, "two", "one", "three")


def test_all_is_reached_and_done_with_the_keyboard(page):
    steps.tab_to(page, photos.description(page, 3))
    page.keyboard.type(" herons")
    steps.tab_to(page, photos.tile(page, 3).get_by_role("button", name="Move earlier"))
    page.keyboard.press("Enter")
    photos.expect_order(page, "one", "three herons", "two")
    steps.tab_to(page, photos.tile(page, 2).get_by_role("button", name="Remove"))
    page.keyboard.press("Enter")
    expect(photos.status(page)).to_have_text("Photo removed.")
    expect(photos.tile(page, 2).get_by_role("button", name="Remove")).to_be_focused()
    photos.expect_order(page, "one", "two")
    photos.description(page, 1).press(
        "Control+Enter"
    )  # back to the text, so that nothing is posted by mistake
    expect(steps.composer(page)).to_be_focused()


def test_the_last_photo_leaves_the_focus_on_adding_one(page):
    for _ in range(3):
        photos.press(page, 1, "Remove")
    expect(photos.tiles(page)).to_have_count(0)
    expect(page.get_by_label("Add photos")).to_be_focused()
    photos.choose(page, photos.files(4))  # there is room for all again
    photos.expect_there(page, 4)


def test_photos_are_dragged_and_posted_in_the_new_order(page):
    picture = photos.tile(page, 3).locator(".tile-picture")
    picture.drag_to(photos.tile(page, 1).locator(".tile-picture"))
    photos.expect_order(page, "three", "one", "two")
    expect(photos.status(page)).to_have_text("Photo 1 of 3")
    photos.post_button(page).click()
    expect(page.get_by_role("img", name="two", exact=True)).to_be_visible()
    shown = page.get_by_role("article").get_by_role("img").all()
    assert [one.get_attribute("alt") for one in shown][-3:] == ["three", "one", "two"]

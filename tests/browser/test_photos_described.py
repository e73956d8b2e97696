"""Descriptions of photos: asked for once, never forced, counted near the limit."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import photographs as photos
from tests.browser import steps

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/posts/new")
    return page


@pytest.fixture
def two(page) -> Page:
    photos.choose(page, photos.files(2))
    photos.expect_there(page, 2)
    return page


def test_posting_asks_once_one_can_post_without_and_a_setting_turns_the_question_off(two):
    expect(two.get_by_text("No description")).to_have_count(2)
    photos.description(two, 1).fill("A heron")
    expect(photos.tile(two, 1).get_by_text("No description")).to_be_hidden()
    expect(photos.tile(two, 2).get_by_text("No description")).to_be_visible()
    photos.post_button(two).click()
    question = two.get_by_role("dialog", name="Describe your photos?")
    question.get_by_role("button", name="Describe").click()
    expect(photos.description(two, 2)).to_be_focused()
    photos.post_button(two).click()  # it does not ask again

    expect(steps.title(two)).to_have_text("Post")
    expect(two.get_by_role("img", name="Photo without description")).to_be_visible()

    two.goto("/posts/new")
    photos.choose(two, photos.files(2))
    photos.expect_there(two, 2)
    photos.post_button(two).click()
    two.keyboard.press("Escape")
    expect(two.get_by_role("dialog", name="Describe your photos?")).to_be_hidden()
    expect(photos.post_button(two)).to_be_focused()
    steps.same_place(two, "/posts/new")  # nothing is posted
    photos.post_button(two).click()
    expect(steps.title(two)).to_have_text("Post")
    expect(two.get_by_role("img", name="Photo without description")).to_have_count(2)

    begin_one(two)
    two.get_by_role("button", name="Post without").click()
    expect(steps.title(two)).to_have_text("Post")

    two.goto("/settings/appearance")
    two.get_by_label("Remind me to describe photos").uncheck()
    two.get_by_role("button", name="Save").click()
    expect(steps.toast(two)).to_contain_text("Settings saved.")
    begin_one(two)
    expect(steps.title(two)).to_have_text("Post")


def begin_one(page: Page) -> None:
    """Presses Post, with a photo that has no description."""
    page.goto("/posts/new")
    photos.choose(page, photos.file())
    photos.expect_there(page, 1)
    photos.post_button(page).click()


def test_the_counter_shows_near_the_limit_and_counts_as_the_server_does(two, watch):
    left = photos.tile(two, 1).locator(".tile-left")
    photos.description(two, 1).fill("x" * 1899)
    expect(left).to_be_hidden()
    photos.description(two, 1).fill("x" * 1999 + "e\u0301")
    expect(left).to_have_text("Characters left: 0")
    photos.description(two, 1).fill("陈" * 990)
    expect(left).to_have_text("Bytes left: 30")
    photos.description(two, 1).fill("x" * 2001)
    expect(left).to_have_text("Characters left: -1")

    photos.description(two, 2).fill("صورة لطائر")  # from right to left
    expect(photos.description(two, 2)).to_have_css("direction", "rtl")
    expect(photos.description(two, 1)).to_have_css("direction", "ltr")
    photos.describe(two, "x" * 2001, "A heron")

    watch.expect("422")
    steps.write(two, "Too long a description")
    expect(photos.tile(two, 1)).to_contain_text("Use up to 2000 characters")
    photos.expect_order(two, "x" * 2001, "A heron")  # both photos and all words are still there
    photos.describe(two, "Shorter")
    photos.post_button(two).click()
    expect(two.get_by_role("img", name="Shorter", exact=True)).to_be_visible()

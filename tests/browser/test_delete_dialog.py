"""Deleting asks first, in a dialog that the keyboard can use and that gives the focus back."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import post


@pytest.fixture
def page(signed_in, alice) -> Page:
    for text in ("First", "Second"):
        post(alice, text)
    page = signed_in(alice)
    page.goto("/@alice")
    steps.open_menu(steps.card(page, "Second"))
    page.get_by_role("link", name="Delete post").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def test_the_menu_is_closed_behind_the_dialog(page):
    expect(page.locator("details.menu[open]")).to_have_count(0)


def test_cancel_has_the_focus_and_changes_nothing(page):
    cancel = page.get_by_role("dialog").get_by_role("link", name="Cancel")
    expect(cancel).to_be_focused()
    cancel.press("Enter")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(steps.posts(page)).to_have_count(2)
    expect(steps.card(page, "Second").locator("summary")).to_be_focused()
    steps.same_place(page, "/@alice")


def test_escape_closes_the_dialog_and_gives_the_focus_back(page):
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(steps.card(page, "Second").locator("summary")).to_be_focused()


def test_a_click_beside_the_dialog_closes_it(page):
    page.mouse.click(5, 5)

    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(steps.posts(page)).to_have_count(2)


def test_a_placeholder_takes_the_posts_place_and_the_focus(page):
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()

    expect(page.get_by_text("Post deleted")).to_be_focused()
    expect(steps.posts(page)).to_have_count(1)
    page.reload()
    expect(steps.card(page, "First")).to_be_visible()
    expect(page.get_by_text("Post deleted")).to_have_count(0)


def test_a_post_on_its_own_page_is_deleted_there(signed_in, alice):
    page = signed_in(alice)
    page.goto(f"/@alice/posts/{post(alice, 'Alone')}")
    steps.open_menu(steps.card(page, "Alone"))
    page.get_by_role("link", name="Delete post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()

    expect(page.get_by_text("Post deleted")).to_be_focused()
    page.get_by_role("link", name="Back").click()
    expect(steps.posts(page)).to_have_count(0)

"""Single keys do the common things, unless one is writing or has turned them off."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.browser.conftest import PHONE
from tests.conftest import post


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    for text in ("First", "Second", "Third"):
        post(bob, text)
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def like(page: Page) -> None:
    with page.expect_response("**/like"):
        press(page, "l")


def test_j_and_k_walk_through_the_posts_l_likes_o_and_enter_open_and_r_answers(page, visitor, bob):
    third = steps.card(page, "Third")
    press(page, "j")
    steps.expect_focus(third)
    for on in (True, False):
        like(page)
        steps.expect_state(steps.heart(third), on=on)
        expect(third).to_be_focused()

    press(page, "j", "j")
    expect(steps.card(page, "First")).to_be_focused()
    press(page, "j", "k")
    expect(steps.card(page, "Second")).to_be_focused()
    press(page, "g", "j")  # a second key that leads nowhere is a key of its own
    expect(steps.card(page, "First")).to_be_focused()

    page.goto("/@bob")
    press(page, "j", "o")
    expect(steps.title(page)).to_have_text("Post")
    expect(page.get_by_text("Third")).to_be_visible()
    like(page)
    steps.expect_state(steps.heart(steps.posts(page)), on=True)
    press(page, "r")
    expect(page.get_by_label("Reply to @bob")).to_be_focused()

    page.goto("/@bob")
    press(page, "j", "r")
    expect(page.get_by_label("Reply to @bob"), "r answers in the list, too").to_be_focused()

    post(bob, "For @alice")
    page.goto("/@bob")
    steps.card(page, "For @alice").get_by_role("link", name="@alice").focus()
    press(page, "Enter")
    expect(steps.title(page), "a link inside goes its own way").to_have_text("Alice Archer")
    page.goto("/@bob")
    press(page, "j", "Enter")
    expect(steps.title(page)).to_have_text("Post")

    page = visitor()
    page.goto("/@bob")
    press(page, "j", "l", "o")
    expect(steps.title(page), "a visitor reads with keys, too").to_have_text("Post")


def test_the_post_with_the_focus_is_seen_and_the_last_leads_to_older_posts(signed_in, alice):
    for number in range(22):
        post(alice, f"Number {number:02}\n" * 4)
    page = signed_in(alice, viewport={"width": 390, "height": 600})
    page.goto("/settings/appearance")
    page.get_by_label("Load older posts as I scroll").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("saved")
    page.goto("/@alice")
    steps.card(page, "Number 12").evaluate("(row) => row.scrollIntoView()")
    press(page, "j")
    expect(steps.card(page, "Number 12"), "j starts where one has scrolled to").to_be_focused()

    for key in "jjjjjjjkkkk":
        press(page, key)
        top, bottom = page.evaluate(
            "(({ top, bottom }) => [top, bottom])(document.activeElement.getBoundingClientRect())"
        )
        assert top >= page.locator(".topbar").bounding_box()["height"]
        assert bottom <= page.locator(".nav").bounding_box()["y"]

    expect(steps.card(page, "Number 09")).to_be_focused()
    press(page, *"jjjjjjjj")
    expect(page.get_by_role("link", name="Older posts")).to_be_focused()


def test_keys_begin_a_post_search_and_go_to_pages(page):
    press(page, "n")
    expect(page.get_by_role("dialog", name="New post")).to_be_visible()
    expect(steps.composer(page)).to_be_focused()
    page.goto("/local")
    for key, path in (("p", "/@alice"), ("e", "/explore"), ("l", "/local"), ("h", "/")):
        press(page, "g", key)
        steps.same_place(page, path)
        expect(steps.title(page)).to_be_visible()
    press(page, "n")
    expect(steps.composer(page), "without a dialog where the form is").to_be_focused()
    expect(steps.composer(page)).to_have_value("")

    page.goto("/@bob")
    press(page, "/")
    field = page.get_by_role("searchbox", name="Search people")
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    page.set_viewport_size(PHONE)
    page.goto("/@bob")
    press(page, "/")
    expect(steps.title(page), "to the page of search where no field is seen").to_have_text("Search")
    expect(field).to_be_focused()


def test_question_mark_opens_the_help_sheet_and_keys_do_nothing_where_they_mean_something_else(
    page, axe
):
    heart = steps.heart(steps.card(page, "Third"))
    steps.tab_to(page, heart)
    press(page, "?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet.get_by_role("row", name="j Next post")).to_be_visible()
    steps.expect_focus(sheet.get_by_role("button", name="Close"))
    assert axe(page) == []

    sheet.get_by_role("heading").click()
    press(page, "j", "g", "h")
    expect(sheet, "keys do nothing while it is open").to_be_visible()
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    steps.same_place(page, "/@bob")
    steps.expect_focus(heart)

    press(page, "?")
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    steps.expect_focus(heart)

    page.goto("/@bob")
    press(page, "?")
    expect(page.get_by_role("dialog")).to_be_visible()  # the script has come
    press(page, "Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for modifier in ("Control", "Alt", "Meta"):
        press(page, f"{modifier}+j", f"{modifier}+k", f"{modifier}+o")
    assert steps.is_focused(page).startswith("BODY")
    steps.same_place(page, "/@bob")

    page.locator(".account summary").press("Enter")
    press(page, "Tab", "j")
    expect(page.get_by_role("link", name="View profile"), "in an open menu").to_be_focused()

    page.goto("/")
    steps.composer(page).click()
    page.keyboard.type("jkolng/?gh")
    expect(steps.composer(page)).to_have_value("jkolng/?gh")
    steps.same_place(page, "/")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.goto("/@bob")
    page.evaluate('document.body.dataset.shortcuts = "off"')
    press(page, "j", "?", "n", "g", "h")
    assert steps.is_focused(page).startswith("BODY")
    steps.same_place(page, "/@bob")
    expect(page.get_by_role("dialog")).to_have_count(0)

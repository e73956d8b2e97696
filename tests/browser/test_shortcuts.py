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


def test_j_and_k_walk_through_the_posts(page):
    press(page, "j")
    expect(steps.card(page, "Third")).to_be_focused()
    outline = steps.card(page, "Third").evaluate("(row) => getComputedStyle(row).outlineStyle")
    assert outline == "solid"

    press(page, "j", "j")
    expect(steps.card(page, "First")).to_be_focused()

    press(page, "j", "k")
    expect(steps.card(page, "Second")).to_be_focused()


def test_the_post_with_the_focus_is_not_under_a_bar(signed_in, alice):
    for number in range(12):
        post(alice, f"Number {number}\n" * 4)
    page = signed_in(alice, viewport={"width": 390, "height": 600})
    page.goto("/@alice")
    press(page, "j")
    expect(page.locator("article:focus")).to_be_visible()
    for key in "jjjjjjjkkkk":
        press(page, key)
        top, bottom = page.evaluate(
            "(({ top, bottom }) => [top, bottom])(document.activeElement.getBoundingClientRect())"
        )
        assert top >= page.locator(".topbar").bounding_box()["height"]
        assert bottom <= page.locator(".nav").bounding_box()["y"]


def test_j_walks_from_where_one_has_scrolled_to(signed_in, alice):
    for number in range(12):
        post(alice, f"Number {number:02}\n" * 6)
    page = signed_in(alice)
    page.goto("/@alice")
    steps.card(page, "Number 03").evaluate("(row) => row.scrollIntoView()")
    press(page, "j")

    expect(steps.card(page, "Number 03")).to_be_focused()


def test_j_ends_at_the_link_to_older_posts_where_they_do_not_come_by_themselves(signed_in, alice):
    for number in range(21):
        post(alice, f"Number {number}")
    page = signed_in(alice)
    page.goto("/settings/appearance")
    page.get_by_label("Load older posts as I scroll").uncheck()
    page.get_by_role("button", name="Save").click()
    page.goto("/@alice")
    press(page, *"j" * 21)

    expect(page.get_by_role("link", name="Older posts")).to_be_focused()


@pytest.mark.parametrize("key", ["o", "Enter"])
def test_o_and_enter_open_the_post(page, key):
    press(page, "j", key)

    expect(steps.title(page)).to_have_text("Post")
    expect(page.get_by_text("Third")).to_be_visible()


def test_enter_on_a_link_inside_the_post_follows_that_link(page):
    steps.card(page, "Third").locator(".post-author").focus()
    press(page, "Enter")

    steps.same_place(page, "/@bob")


def test_l_likes_and_takes_the_like_back(page):
    third = steps.card(page, "Third")
    press(page, "j")
    for on in (True, False):
        with page.expect_response("**/like"):
            press(page, "l")
        steps.expect_state(steps.heart(third), on=on)
        expect(third).to_be_focused()


def test_l_likes_the_one_post_of_a_posts_page(page):
    press(page, "j", "o")
    expect(steps.title(page)).to_have_text("Post")
    with page.expect_response("**/like"):
        press(page, "l")

    steps.expect_state(steps.heart(steps.posts(page)), on=True)


def test_r_answers_the_post_in_its_list_and_on_its_page(page):
    press(page, "j", "r")
    expect(page.get_by_label("Reply to @bob")).to_be_focused()
    page.goto("/@bob")
    press(page, "j", "o")
    expect(steps.title(page)).to_have_text("Post")
    press(page, "r")
    expect(page.get_by_label("Reply to @bob")).to_be_focused()


def test_n_begins_a_post(page):
    press(page, "n")
    expect(page.get_by_role("dialog", name="New post")).to_be_visible()
    expect(steps.composer(page)).to_be_focused()

    page.goto("/")
    press(page, "n")
    expect(steps.composer(page)).to_be_focused()
    expect(steps.composer(page)).to_have_value("")


@pytest.mark.parametrize(
    ("key", "path"), [("h", "/"), ("l", "/local"), ("p", "/@alice"), ("e", "/explore")]
)
def test_g_and_a_second_key_go_to_a_page(page, key, path):
    press(page, "g", key)

    steps.same_place(page, path)


def test_a_second_key_that_leads_nowhere_is_a_key_of_its_own(page):
    press(page, "g", "j")

    expect(steps.card(page, "Third")).to_be_focused()


def test_slash_goes_to_search(page):
    field = page.get_by_role("searchbox", name="Search people")
    press(page, "/")
    expect(field).to_be_focused()
    expect(field).to_have_value("")


def test_slash_goes_to_the_page_of_search_where_no_field_is_seen(page):
    page.set_viewport_size(PHONE)
    press(page, "/")

    expect(steps.title(page)).to_have_text("Search")
    expect(page.get_by_role("searchbox", name="Search people")).to_be_focused()


def test_question_mark_opens_the_help_sheet_and_escape_gives_the_focus_back(page, axe):
    press(page, "j", "?")
    sheet = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_be_visible()
    expect(sheet.get_by_role("row", name="j Next post")).to_be_visible()
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    assert axe(page) == []

    sheet.get_by_role("heading").click()
    press(page, "j", "g", "h", "Escape")
    expect(sheet).to_be_hidden()
    steps.same_place(page, "/@bob")
    expect(steps.card(page, "Third")).to_be_focused()


def test_the_help_sheet_is_a_page_too(visitor, axe):
    page = visitor(java_script_enabled=False)
    page.goto("/about")
    page.get_by_role("main").get_by_role("link", name="Keyboard shortcuts").click()

    expect(page.get_by_role("row", name="j Next post")).to_be_visible()
    expect(page.get_by_role("button", name="Close")).to_have_count(0)


def test_a_visitor_can_read_with_keys(page, visitor):
    page = visitor()
    page.goto("/@bob")
    press(page, "j", "l", "o")

    expect(steps.title(page)).to_have_text("Post")


def test_keys_are_letters_while_one_writes(page):
    page.goto("/")
    steps.composer(page).click()
    page.keyboard.type("jkolng/?gh")

    expect(steps.composer(page)).to_have_value("jkolng/?gh")
    steps.same_place(page, "/")
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("modifier", ["Control", "Alt", "Meta"])
def test_keys_with_a_modifier_belong_to_the_browser(page, modifier):
    press(page, f"{modifier}+j", f"{modifier}+k", f"{modifier}+o")

    assert steps.is_focused(page).startswith("BODY")
    steps.same_place(page, "/@bob")


def test_keys_do_nothing_in_an_open_menu(page):
    page.locator(".account summary").press("Enter")
    press(page, "Tab", "j")

    expect(page.get_by_role("link", name="View profile")).to_be_focused()


def test_turned_off_no_key_does_anything(page):
    page.evaluate('document.body.dataset.shortcuts = "off"')
    press(page, "j", "?", "n", "g", "h")

    assert steps.is_focused(page).startswith("BODY")
    steps.same_place(page, "/@bob")
    expect(page.get_by_role("dialog")).to_have_count(0)

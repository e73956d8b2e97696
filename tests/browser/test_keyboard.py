"""Everything can be done with the keyboard alone, and the focus never gets lost."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import PASSWORD, post


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    post(bob, "By Bob")
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def test_one_skips_to_the_content_follows_likes_and_reads_on_without_a_mouse(page):
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()

    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()

    follow = page.get_by_role("button", name="Bob Brandt")
    steps.tab_to(page, follow)
    with page.expect_response("**/follow"):
        page.keyboard.press("Enter")
    steps.expect_state(follow, on=True)
    expect(follow).to_be_focused()

    heart = steps.heart(steps.card(page, "By Bob"))
    for on in (True, False):
        if on:
            steps.tab_to(page, heart)
        with page.expect_response("**/like"):
            page.keyboard.press("Space")
        steps.expect_state(heart, on=on)
        expect(heart).to_be_focused()

    page.keyboard.press("Shift+Tab")
    expect(steps.card(page, "By Bob").get_by_role("button", name="Repost")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(steps.card(page, "By Bob").get_by_role("link", name="Reply")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(steps.card(page, "By Bob").locator("summary")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(steps.title(page)).to_have_text("Post")


def test_a_post_is_written_and_deleted_without_a_mouse(page):
    page.goto("/")
    tab_to_composer(page)
    page.keyboard.type("With ten fingers")
    page.keyboard.press("Control+Enter")
    expect(steps.posts(page).first).to_contain_text("With ten fingers")
    expect(steps.composer(page)).to_be_focused()

    menu = steps.card(page, "With ten fingers").locator("summary")
    steps.tab_to(page, menu)
    page.keyboard.press("Enter")
    steps.tab_to(page, steps.card(page, "With ten fingers").get_by_role("link", name="Delete post"))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(dialog.get_by_role("button", name="Delete")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Post deleted")).to_be_focused()


def tab_to_composer(page: Page) -> None:
    # The whole composer is underlined while one writes in it, in place of an outline.
    for _ in range(30):
        page.keyboard.press("Tab")
        if steps.is_focused(page) == "id_content":
            break
    expect(steps.composer(page)).to_be_focused()
    assert (
        page.locator("#composer").evaluate("(form) => getComputedStyle(form).boxShadow") != "none"
    )


def test_a_menu_and_a_toast_give_the_focus_back(page, watch):
    summary = page.locator(".account summary")
    entry = page.get_by_role("link", name="View profile")
    steps.tab_to(page, summary)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(entry).to_be_focused()
    page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(summary).to_be_focused()

    page.keyboard.press("Enter")
    expect(entry).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(entry, "leaving a menu closes it").to_be_hidden()

    watch.expect("htmx:sendError")
    page.context.set_offline(True)
    steps.heart(steps.card(page, "By Bob")).click()
    close = steps.toast(page).get_by_role("button", name="Close")
    close.focus()
    page.keyboard.press("Enter")
    expect(close).to_have_count(0)
    expect(page.locator("#main")).to_be_focused()


def test_a_visitor_changes_the_language_and_signs_in_without_a_mouse(strict, alice):
    strict.goto("/login")
    languages = strict.locator(".languages:visible")
    for name, code in (("中文", "zh-hans"), ("English", "en")):
        steps.tab_to(strict, languages.get_by_role("button", name=name))
        strict.keyboard.press("Enter")
        expect(strict.locator("html")).to_have_attribute("lang", code)
    strict.wait_for_load_state()
    steps.tab_to(strict, strict.get_by_label("Handle or email"))
    strict.keyboard.type("alice")
    strict.keyboard.press("Tab")
    strict.keyboard.type(PASSWORD)
    strict.keyboard.press("Enter")
    expect(steps.title(strict)).to_have_text("Home")

"""Looks, language, profile and help are reached and changed with the keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import post


@pytest.fixture
def page(alice, signed_in) -> Page:
    post(alice, "My own words")
    return signed_in(alice)


def save(page: Page) -> None:
    steps.tab_to(page, page.get_by_role("main").locator("form .button").first)
    page.keyboard.press("Enter")


def test_the_theme_is_found_in_the_account_menu_and_changed(page):
    page.goto("/")
    steps.tab_to(page, page.locator(".account summary"))
    page.keyboard.press("Enter")
    steps.tab_to(page, page.locator(".account").get_by_role("link", name="Appearance"))
    page.keyboard.press("Enter")
    expect(steps.title(page)).to_have_text("Settings")

    now = page.get_by_role("radio", name="Same as my device")
    steps.tab_to(page, now, ring=page.locator(".theme-card").filter(has=now))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    dark = page.get_by_role("radio", name="Dark")
    expect(dark).to_be_checked()
    steps.expect_focus(dark, ring=page.locator(".theme-card").filter(has=dark))
    save(page)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_a_member_changes_the_language(page):
    page.goto("/settings/appearance")
    steps.tab_to(page, page.get_by_label("Language"))
    page.keyboard.type("Deu")
    save(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_visitor_changes_the_language(strict):
    strict.goto("/signup")
    steps.tab_to(strict, strict.locator(".languages:visible").get_by_role("button", name="中文"))
    strict.keyboard.press("Enter")
    expect(strict.locator("html")).to_have_attribute("lang", "zh-hans")


def test_the_profile_is_edited_in_place_and_the_focus_stays_with_it(page):
    page.goto("/@alice")
    edit = page.get_by_role("link", name="Edit profile")
    steps.tab_to(page, edit)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Edit profile")).to_be_focused()
    steps.tab_to(page, page.get_by_label("Display name"))
    page.keyboard.press("Control+a")
    page.keyboard.type("Alice Neu")
    save(page)
    expect(page.get_by_role("heading", name="Alice Neu", level=2)).to_be_visible()
    steps.expect_focus(edit)

    page.keyboard.press("Enter")
    steps.tab_to(page, page.get_by_role("link", name="Cancel"))
    page.keyboard.press("Enter")
    steps.expect_focus(edit)


@pytest.mark.parametrize("key", ["Escape", "Enter"])
def test_the_help_sheet_keeps_the_focus_and_gives_it_back(page, key):
    page.goto("/")
    heart = steps.heart(steps.card(page, "My own words"))
    steps.tab_to(page, heart)
    page.keyboard.press("?")
    close = page.get_by_role("dialog").get_by_role("button", name="Close")
    steps.expect_focus(close)
    page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    steps.expect_focus(heart)


def test_staff_find_the_page_of_the_stream_worker_in_their_menu(page, admin, signed_in):
    staff = signed_in(admin)
    staff.goto("/about")
    steps.tab_to(staff, staff.locator(".account summary"))
    staff.keyboard.press("Enter")
    steps.tab_to(staff, staff.get_by_role("link", name="Stream worker"))
    staff.keyboard.press("Enter")
    expect(steps.title(staff)).to_have_text("Stream worker")

    page.goto("/about")
    page.locator(".account summary").click()
    expect(page.get_by_role("link", name="Settings").last).to_be_visible()
    expect(page.get_by_role("link", name="Stream worker")).to_have_count(0)

"""Looks, language and profile are reached and changed with the keyboard alone."""

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


def test_the_profile_is_edited_in_place_and_theme_and_language_in_the_settings(page):
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

    page.goto("/")
    steps.tab_to(
        page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Settings")
    )
    page.keyboard.press("Enter")
    expect(steps.title(page)).to_have_text("Settings")
    steps.tab_to(page, page.get_by_role("main").get_by_role("link", name="Appearance"))
    page.keyboard.press("Enter")
    expect(page.get_by_label("Language")).to_be_visible()

    now = page.get_by_role("radio", name="Same as my device")
    steps.tab_to(page, now, ring=page.locator(".theme-card").filter(has=now))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    dark = page.get_by_role("radio", name="Dark")
    expect(dark).to_be_checked()
    steps.expect_focus(dark, ring=page.locator(".theme-card").filter(has=dark))
    save(page)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")

    expect(steps.toast(page)).to_contain_text("saved")
    language = page.get_by_label("Language")
    steps.tab_to(page, language)
    steps.choose(page, language, "Deutsch")
    save(page)
    expect(page.locator("html")).to_have_attribute("lang", "de")

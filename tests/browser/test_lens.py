"""Developers open the lens with a key, walk through it, and close it again."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture
def page(settings, signed_in, alice, bob) -> Page:
    settings.DEBUG = True
    post(bob, "Hello")
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def test_its_key_opens_it_and_escape_leads_back(page):
    like = page.get_by_role("button", name="Like").first
    like.focus()
    page.keyboard.press(".")
    expect(page.locator(".lens-body")).to_be_visible()
    expect(page.locator("#lens > summary")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".lens-body")).to_be_hidden()
    expect(like).to_be_focused()


def test_its_key_opens_it_beside_the_keys_of_moderators(settings, signed_in, mod):
    settings.DEBUG = True
    desk = signed_in(mod)
    desk.goto("/moderation/queue")
    desk.keyboard.press(".")
    expect(desk.locator(".lens-body")).to_be_visible()


def test_its_key_is_a_letter_where_text_is_typed(page):
    page.goto("/search")
    page.locator("main input[type=search]").press_sequentially("a.b")
    expect(page.locator("main input[type=search]")).to_have_value("a.b")
    expect(page.locator(".lens-body")).to_be_hidden()


def test_people_who_turned_single_keys_off_open_it_with_a_press(page):
    page.evaluate("document.body.dataset.shortcuts = 'off'")
    page.keyboard.press(".")
    expect(page.locator(".lens-body")).to_be_hidden()
    page.locator("#lens > summary").click()
    expect(page.locator(".lens-body")).to_be_visible()


def test_what_is_asked_for_later_is_counted(page):
    page.get_by_role("button", name="Like").first.click()
    page.keyboard.press(".")
    expect(page.locator("#lens-others")).to_contain_text("+")


def test_the_badge_covers_nothing_of_the_navigation(page):
    page.set_viewport_size(PHONE)
    badge, nav = page.locator("#lens").bounding_box(), page.locator(".nav").bounding_box()
    assert badge["y"] + badge["height"] <= nav["y"]


def test_the_open_drawer_breaks_no_rule(page, look):
    page.keyboard.press(".")
    for line in page.locator(".lens-call > details > summary").all():
        line.click()
    page.locator(".lens-request > summary").first.click()
    page.locator(".lens-naive > summary").click()
    assert look(page) == []


def test_the_pages_of_the_lens_break_no_rule(page, look):
    page.goto("/dev/lens")
    assert look(page) == []
    page.locator(".records a").first.click()
    expect(page.locator(".lens-calls")).to_be_visible()
    assert look(page) == []

"""Developers open the lens with a key, walk through it, and close it again."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
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


def test_its_key_opens_it_where_no_text_is_typed_and_escape_leads_back(page, signed_in, mod):
    body, like = page.locator(".lens-body"), page.get_by_role("button", name="Like").first
    with page.expect_response("**/like"):
        like.click()
    steps.expect_state(like, on=True)
    expect(page.locator(".htmx-request")).to_have_count(0)
    page.keyboard.press(".")
    expect(body).to_be_visible()
    expect(page.locator("#lens > summary")).to_be_focused()
    expect(page.locator("#lens-others"), "what was asked for later counts").to_contain_text("+")
    page.keyboard.press("Escape")
    expect(body).to_be_hidden()
    expect(like).to_be_focused()

    page.goto("/search")
    field = page.locator("main input[type=search]")
    field.press_sequentially("a.b")
    expect(field).to_have_value("a.b")
    expect(body).to_be_hidden()

    page.goto("/@bob")
    page.evaluate("document.body.dataset.shortcuts = 'off'")
    page.keyboard.press(".")
    expect(body, "single keys are turned off").to_be_hidden()
    page.locator("#lens > summary").click()
    expect(body).to_be_visible()

    desk = signed_in(mod)
    desk.goto("/moderation/queue")
    desk.keyboard.press(".")
    expect(desk.locator(".lens-body"), "beside the keys of moderators").to_be_visible()


def test_its_badge_its_drawer_and_its_pages_break_no_rule(page, look):
    page.set_viewport_size(PHONE)
    badge, nav = page.locator("#lens").bounding_box(), page.locator(".nav").bounding_box()
    assert badge["y"] + badge["height"] <= nav["y"], "the badge covers some of the navigation"

    page.keyboard.press(".")
    expect(page.locator(".lens-body")).to_be_visible()
    for line in page.locator(".lens-call > details > summary").all():
        line.click()
    page.locator(".lens-request > summary").first.click()
    page.locator(".lens-naive > summary").click()
    assert look(page) == []

    page.goto("/dev/lens")
    assert look(page) == []
    page.locator(".records a").first.click()
    expect(page.locator(".lens-calls")).to_be_visible()
    assert look(page) == []

"""Theme, comforts and time zone; and the lens."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils.formats import date_format
from playwright.sync_api import Page, expect

from socialsite.table import ids
from tests.browser import steps
from tests.browser.screens import PHONE
from tests.conftest import post

DARK = "rgb(19, 19, 26)"  # --bg in the dark theme
LIGHT = "rgb(251, 251, 254)"
COMES_BACK = "void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def expect_background(page: Page, colour: str) -> None:
    expect(page.locator("html")).to_have_css("background-color", colour)


def save(page: Page) -> None:
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Settings saved.")


def choose_theme(page: Page, name: str) -> None:
    page.goto("/settings/appearance")
    page.get_by_role("radio", name=name).check()
    save(page)


def test_a_theme_goes_against_the_device_from_the_first_byte_on_and_for_pages_kept_from_before(
    alice, signed_in, axe, strict
):
    page = signed_in(alice, color_scheme="light")
    choose_theme(page, "Dark")
    expect_background(page, DARK)
    assert axe(page) == []
    response = page.goto("/local")
    assert 'data-theme="dark"' in response.text().split("<head>")[0]
    expect_background(page, DARK)

    choose_theme(page, "Light")
    page.emulate_media(color_scheme="dark")
    expect_background(page, LIGHT)
    choose_theme(page, "Same as my device")
    expect_background(page, DARK)

    strict.goto("/about")
    strict.evaluate("window.kept = true")
    strict.evaluate(COMES_BACK)
    assert strict.evaluate("window.kept")

    strict.evaluate("sessionStorage.setItem('looks', 'another theme since')")
    with strict.expect_event("framenavigated"):
        strict.evaluate(COMES_BACK)
    assert not strict.evaluate("window.kept")


def test_who_switches_scrolling_off_gets_older_posts_by_the_link_and_finds_back(alice, signed_in):
    for number in range(65):
        post(alice, f"Number {number}")
    page = signed_in(alice)
    page.goto("/settings/appearance")
    page.get_by_role("switch", name="Load older posts as I scroll").uncheck()
    save(page)

    page.goto("/@alice")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    older = page.get_by_role("link", name="Older posts")
    older.scroll_into_view_if_needed()
    page.evaluate(TWO_FRAMES)  # by then the page knows what is in view
    assert not [url for url in asked if "page=" in url]
    for shown in (40, 60):
        older.click()
        expect(steps.posts(page)).to_have_count(shown)

    # The back button finds the place.
    far_down = steps.card(page, "Number 10")
    far_down.scroll_into_view_if_needed()
    far_down.locator(".post-time").click()
    expect(steps.title(page)).to_have_text("Post")
    page.evaluate("void setTimeout(() => history.back())")  # answered before the page goes
    steps.same_place(page, "/@alice")
    expect(steps.posts(page)).to_have_count(60)
    expect(far_down).to_be_in_viewport()


# Times on the pages are those of the device. The zone chosen in Settings: tests/web/test_preferences.py.

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def expect_time(page: Page, moment: datetime, zone: str) -> None:
    label = " UTC" if zone == "UTC" else ""
    text = date_format(moment.astimezone(ZoneInfo(zone)), "DATETIME_FORMAT") + label
    expect(page.locator(".post-when time")).to_have_text(text)


def test_times_are_those_of_the_device_from_the_second_page_on(visitor, alice):
    post_id = post(alice, "What time is it?")
    created, address = ids.time_of(post_id), f"/@alice/posts/{post_id}"
    page = visitor(timezone_id="Asia/Tokyo")
    page.goto(address)
    expect_time(page, created, "UTC")
    page.get_by_role("link", name="Local").first.click()
    steps.same_place(page, "/local")
    page.go_back()  # the browser kept the first page, which is asked for again
    expect_time(page, created, "Asia/Tokyo")

    # A device that travels brings its new zone.
    cookies = page.context.cookies()
    page = visitor(timezone_id="Europe/Berlin")
    page.context.add_cookies(cookies)
    page.goto("/@alice")
    page.locator(".post-time").click()
    expect_time(page, created, "Europe/Berlin")


# Developers open the lens with a key, walk through it, and close it again.


@pytest.fixture
def page(settings, signed_in, alice, bob) -> Page:
    settings.DEBUG = True
    post(bob, "Hello")
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def test_its_key_opens_it_where_no_text_is_typed_escape_leads_back_and_its_pages_break_no_rule(
    page, signed_in, mod, look
):
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

    # Its badge, its drawer and its pages break no rule.
    page.goto("/@bob")
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

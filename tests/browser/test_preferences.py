"""Theme, language and comforts, chosen as people choose them: with and without JavaScript, visitors too."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import post

DARK = "rgb(19, 19, 26)"  # --bg in the dark theme
LIGHT = "rgb(251, 251, 254)"
COMES_BACK = "void dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def background(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def choose_theme(page: Page, name: str) -> None:
    page.goto("/settings/appearance")
    page.get_by_role("radio", name=name).check()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Settings saved.")


def switch_off(page: Page, name: str) -> None:
    page.goto("/settings/appearance")
    page.get_by_role("switch", name=name).uncheck()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Settings saved.")


def use_switch(page: Page, language: str) -> None:
    switch = page.locator(".languages:visible")
    switch.get_by_role("button", name=language).click()


def lang(page: Page) -> str | None:
    return page.locator("html").get_attribute("lang")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_theme_goes_against_the_device_from_the_first_byte_on(alice, signed_in, scripts):
    page = signed_in(alice, color_scheme="light", java_script_enabled=scripts)
    choose_theme(page, "Dark")

    response = page.goto("/local")
    assert 'data-theme="dark"' in response.text().split("<head>")[0]
    assert background(page) == DARK
    choose_theme(page, "Light")
    page.emulate_media(color_scheme="dark")
    assert background(page) == LIGHT
    choose_theme(page, "Same as my device")
    assert background(page) == DARK


def test_a_page_that_the_browser_kept_from_before_is_asked_for_again(strict):
    strict.goto("/about")
    strict.evaluate("window.kept = true")
    strict.evaluate(COMES_BACK)
    assert strict.evaluate("window.kept")

    strict.evaluate("sessionStorage.setItem('looks', 'another theme since')")
    with strict.expect_event("framenavigated"):
        strict.evaluate(COMES_BACK)
    assert not strict.evaluate("window.kept")


def test_a_visitor_changes_the_language_and_keeps_it_with_the_new_account(visitor):
    page = visitor(java_script_enabled=False)
    page.goto("/signup")
    use_switch(page, "Deutsch")
    steps.same_place(page, "/signup")
    assert lang(page) == "de"
    page.locator("[name=handle]").fill("dora")
    page.locator("[name=name]").fill("Dora Díaz")
    page.locator("[name=email]").fill("dora@example.org")
    page.locator("[name=password]").fill("correct horse battery")
    page.locator("main form .button-big").click()
    expect(steps.toast(page)).to_contain_text("Dora Díaz")
    assert lang(page) == "de"

    elsewhere = visitor(java_script_enabled=False)
    steps.sign_in(elsewhere, "dora", "correct horse battery")
    expect(elsewhere.locator("html")).to_have_attribute("lang", "de")


def test_who_switches_scrolling_off_gets_older_posts_by_the_link(alice, signed_in):
    for number in range(21):
        post(alice, f"Number {number}")
    page = signed_in(alice)
    switch_off(page, "Load older posts as I scroll")

    page.goto("/@alice")
    asked: list[str] = []
    page.on(
        "request", lambda request: asked.append(request.url) if "page=" in request.url else None
    )
    page.get_by_role("link", name="Older posts").scroll_into_view_if_needed()
    page.evaluate(TWO_FRAMES)  # by then the page knows what is in view
    assert asked == []
    page.get_by_role("link", name="Older posts").click()
    expect(steps.posts(page)).to_have_count(21)


def test_the_back_button_finds_the_place_without_scrolling_too(alice, signed_in):
    for number in range(65):
        post(alice, f"Number {number}")
    page = signed_in(alice)
    switch_off(page, "Load older posts as I scroll")
    page.goto("/@alice")
    for shown in (40, 60):
        page.get_by_role("link", name="Older posts").click()
        expect(steps.posts(page)).to_have_count(shown)
    far_down = steps.card(page, "Number 10")
    far_down.scroll_into_view_if_needed()
    far_down.locator(".post-time").click()
    expect(steps.title(page)).to_have_text("Post")

    page.evaluate("void setTimeout(() => history.back())")  # answered before the page goes
    steps.same_place(page, "/@alice")
    expect(steps.posts(page)).to_have_count(60)
    expect(far_down).to_be_in_viewport()


def test_who_switches_shortcuts_off_may_press_what_they_like(alice, signed_in):
    post(alice, "Hello")
    page = signed_in(alice)
    page.goto("/@alice")
    page.keyboard.press("j")
    expect(steps.card(page, "Hello")).to_be_focused()

    switch_off(page, "Keyboard shortcuts")
    page.goto("/@alice")
    page.keyboard.press("j")
    expect(steps.card(page, "Hello")).not_to_be_focused()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_breaks_no_rule_of_accessibility(alice, signed_in, axe, scheme):
    page = signed_in(alice, color_scheme=scheme)
    page.goto("/settings/appearance")
    assert axe(page) == []

"""Theme and comforts, chosen as people choose them, and pages from before."""

from playwright.sync_api import Page, expect

from tests.browser import steps
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

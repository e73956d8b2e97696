"""Every layout of the site fits its screen, from a narrow phone to a desktop, also with text twice as large."""

import pytest
from playwright.sync_api import Page, expect

from feed.services.like_post import like_post
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, sideways
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

OWN = (
    "/", "/local", "/@alice", "/@bob", "/@alice/followers", "/posts/new", "/settings/profile", "/help/keys", "/about",
)  # fmt: skip
PUBLIC = ("/", "/local", "/@bob", "/login", "/signup", "/password/forgot", "/about", "/help/keys")
WIDTHS = (320, 390, 700, 820, 1019, 1020, 1100, 1240, 1366)
TWICE = "document.documentElement.style.setProperty('font-size', '200%')"


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    post_id = post(bob, "Rhabarberbarbarabarbarbarenbartbarbierbierbarbärbel " * 6)
    like_post(by=alice, post_id=post_id, author_id=bob.user_id)
    return signed_in(alice)


def test_no_page_of_a_member_scrolls_sideways(page):
    for path in OWN:
        page.goto(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert sideways(page) <= 0, f"{path} at {width}"


def test_no_page_of_a_visitor_scrolls_sideways(page, visitor):
    page = visitor()
    for path in PUBLIC:
        page.goto(path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert sideways(page) <= 0, f"{path} at {width}"


def test_text_twice_as_large_fits_a_phone(page):
    page.set_viewport_size(PHONE)
    for path in OWN:
        page.goto(path)
        page.evaluate(TWICE)
        assert sideways(page) <= 0, path


def test_the_help_sheet_fits_a_phone_with_large_text(page):
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.evaluate(TWICE)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()

    assert sheet.evaluate("(sheet) => sheet.scrollWidth - sheet.clientWidth") == 0


@pytest.mark.parametrize(
    ("width", "labelled", "beside"),
    [(820, False, False), (1100, False, True), (1366, True, True)],
)
def test_navigation_and_right_column_by_width(page, width, labelled, beside):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/")
    label = page.get_by_role("navigation", name="Main").locator(".nav-label", has_text="Home")

    assert (label.evaluate("(label) => getComputedStyle(label).opacity") == "1") is labelled
    assert page.get_by_role("complementary").is_visible() is beside
    assert page.get_by_role("main").bounding_box()["width"] == 600


def test_a_phone_has_its_navigation_at_the_bottom(page):
    page.set_viewport_size(PHONE)
    page.goto("/")
    box = page.get_by_role("navigation", name="Main").bounding_box()

    assert box["y"] + box["height"] == PHONE["height"]
    assert box["width"] >= PHONE["width"] - 20


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_show_what_is_pressed_current_and_focused(page, scheme):
    page.emulate_media(forced_colors="active", color_scheme=scheme)
    page.set_viewport_size(DESKTOP)
    page.goto("/@bob")
    heart = steps.heart(steps.posts(page))
    steps.expect_state(heart, on=True)
    filled = "(button) => getComputedStyle(button.querySelector('.icon')).fill"
    assert heart.evaluate(filled) != "none"
    with page.expect_response("**/like"):
        heart.click()
    expect(heart.locator(".icon")).to_have_css("fill", "none")

    page.goto("/")
    steps.composer(page).fill("Half " * 60)
    strokes = "(ring) => [...ring.children].map((circle) => getComputedStyle(circle).stroke)"
    whole, used = page.locator(".ring").evaluate(strokes)
    assert whole != used
    outline = "(form) => getComputedStyle(form).outlineStyle"
    assert page.locator("#composer").evaluate(outline) == "solid"
    button = page.get_by_role("button", name="Post", exact=True)
    assert button.evaluate("(button) => getComputedStyle(button).borderTopWidth") == "1px"


def test_more_contrast_makes_words_and_lines_stronger(page):
    colours = """() => {
        const post = document.querySelector('.post');
        const count = post.querySelector('.post-time');
        return [getComputedStyle(post).borderBottomColor, getComputedStyle(count).color];
    }"""
    page.goto("/@bob")
    usual = page.evaluate(colours)
    page.emulate_media(contrast="more")
    strong = page.evaluate(colours)
    assert all(before != after for before, after in zip(usual, strong, strict=True))

    page.keyboard.press("j")
    expect(steps.posts(page)).to_have_css("outline-width", "4px")

"""Every layout of the site fits its screen, from a narrow phone to a desktop, also with text twice as large."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from relations.follows.writes import follow
from socialsite.process_state import reset_process_state
from tests.browser import steps
from tests.browser.glances import TWICE
from tests.browser.screens import DESKTOP, PHONE, SCHEMES, sideways
from tests.browser.test_large_text import IS_ON_TOP
from tests.conftest import post
from tests.injected.rotation import share
from tests.moderation.queues import report

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 3
OWN = (
    "/", "/local", "/explore", "/search?q=w", "/@alice", "/@bob", "/@alice/followers", "/posts/new", "/welcome",
    "/settings/profile", "/settings/appearance", "/help/keys", "/about",
)  # fmt: skip
PUBLIC = ("/", "/local", "/@bob", "/login", "/signup", "/password/forgot", "/about", "/help/keys")
OF_A_POST = ("", "/likers")
NARROW = 320
WIDTHS = (NARROW, 390, 700, 820, 1019, 1020, 1100, 1240, 1366)
WIDTHS_OF_LARGE_TEXT = (390, 640)
LANGUAGES = ("en-GB", "de-DE", "zh-CN")
# What a box cuts off with an ellipsis may be as long as it likes.
TOO_WIDE = """() => {
    const cut = (element) => element && (getComputedStyle(element).overflowX !== "visible"
        || getComputedStyle(element).clipPath !== "none" || cut(element.parentElement));
    const sticksOut = ({ left, right }) => right > document.documentElement.clientWidth + 1 || left < -1;
    return [...document.querySelectorAll("body *")]
        .filter((element) => element.checkVisibility() && sticksOut(element.getBoundingClientRect()))
        .filter((element) => !cut(element.parentElement) && !cut(element))
        .map((element) => element.outerHTML.slice(0, 120));
}"""


@pytest.fixture
def post_path(alice, bob, drain_stream) -> str:
    """A post of Bob's, whose names and words are as long as they can be."""
    edit_profile(by=bob, name="W" * 50, bio=LONG, location="W" * 60)
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    words = "Rhabarberbarbarabarbarbarenbartbarbierbierbarbärbel "
    post_id = post(bob, f"{words * 6}{LONG}\nhttps://example.org/{'a' * 200}")
    for fan in (alice, bob):
        like_post(by=fan, post_id=post_id, author_id=bob.user_id)
    drain_stream()
    return f"/@bob/posts/{post_id}"


@pytest.fixture
def page(post_path, alice, signed_in) -> Page:
    return signed_in(alice)


def too_wide(page: Page, path: str) -> list[str]:
    """What sticks out of the page at any width, and with text twice as large."""
    page.goto(path)
    problems = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if (pixels := sideways(page)) > 0:
            problems.append(f"{path} scrolls sideways by {pixels} pixels at {width}")
        if width == NARROW:
            problems += [f"{path} at {width}: {found}" for found in page.evaluate(TOO_WIDE)]
    page.evaluate(TWICE)
    for width in WIDTHS_OF_LARGE_TEXT:
        page.set_viewport_size({"width": width, "height": 800})
        if (pixels := sideways(page)) > 0:
            problems.append(f"{path} with large text by {pixels} pixels at {width}")
    return problems


def test_no_page_of_a_member_is_wider_than_its_screen(page, post_path, alice):
    own = f"/@alice/posts/{post(alice, LONG)}/delete"
    paths = (*OWN, *(f"{post_path}{part}" for part in OF_A_POST), own)
    assert [problem for path in paths for problem in too_wide(page, path)] == []


def test_no_page_of_a_visitor_is_wider_than_its_screen(post_path, visitor, watch):
    watch.expect("404 /nowhere")
    page = visitor()
    paths = (*PUBLIC, post_path, "/nowhere")
    assert [problem for path in paths for problem in too_wide(page, path)] == []


def test_navigation_right_column_and_help_sheet_by_width(page, visitor):
    navigation = page.get_by_role("navigation", name="Main")
    label = navigation.locator(".nav-label", has_text="Home")
    page.goto("/")
    for width, opacity, beside in ((820, "0", False), (1100, "0", True), (1366, "1", True)):
        page.set_viewport_size({"width": width, "height": 800})
        expect(label, f"label at {width}").to_have_css("opacity", opacity)
        expect(page.get_by_role("complementary")).to_be_visible(visible=beside)
        assert page.get_by_role("main").bounding_box()["width"] == 600, width

    # A phone has it at the bottom.
    page.set_viewport_size(PHONE)
    box = navigation.bounding_box()
    assert box["y"] + box["height"] == PHONE["height"]
    assert box["width"] >= PHONE["width"] - 20

    for phone in (page, visitor()):
        phone.set_viewport_size(PHONE)
        phone.goto("/local")
        links = phone.get_by_role("navigation", name="Main").locator("a:visible")
        expect(links).to_have_count(5)
        icons = set()
        for link in links.all():
            label = link.locator(".nav-label")
            expect(label).to_be_in_viewport()
            assert label.bounding_box()["width"] > 10
            icons.add(link.locator("use").get_attribute("href").rpartition("#")[2])
        assert len(icons) == 5
        assert not icons & {"users-round", "users", "user-plus"}

    # The help sheet fits a phone with large text.
    page.set_viewport_size(PHONE)
    page.goto("/")
    page.evaluate(TWICE)
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("(sheet) => sheet.scrollWidth - sheet.clientWidth") == 0


def test_bars_do_not_cover_what_has_the_focus(alice, signed_in):
    for number in range(12):
        post(alice, f"Number {number}")
    page = signed_in(alice, viewport={"width": 390, "height": 500})
    page.goto("/")
    expect(steps.posts(page)).to_have_count(12)
    for heart in steps.posts(page).get_by_role("button", name="Like").all():
        heart.focus()
        expect(heart).to_be_in_viewport()
        assert heart.evaluate(IS_ON_TOP)


def test_the_bar_of_staff_has_room_for_moderation(signed_in, mod, bob, carol):
    report(bob, by=[carol])
    reset_process_state()
    for language in share(LANGUAGES, one_of=3, salt="bar of staff"):
        page = signed_in(mod, viewport={"width": NARROW, "height": 640}, locale=language)
        page.goto("/")
        staff = page.locator('.nav a[href="/moderation"]')
        for scale in ("100%", "200%"):
            page.evaluate(f"document.documentElement.style.setProperty('font-size', '{scale}')")
            expect(page.locator(".nav-link:visible")).to_have_count(6)
            assert page.evaluate(TOO_WIDE) == []
            labels = page.locator(".nav-link:visible .nav-label").all()
            for word, following in pairwise([label.bounding_box() for label in labels]):
                assert word["x"] + word["width"] <= following["x"], f"{language}, {scale}"
            expect(staff).to_be_in_viewport(ratio=1)
            expect(staff.locator(".nav-badge")).to_contain_text("1")
        staff.click()
        expect(page.locator(".case-row")).to_have_count(1)


def test_forced_colours_show_what_is_pressed_current_and_focused(page):
    page.set_viewport_size(DESKTOP)
    for scheme in share(SCHEMES, one_of=2, salt="forced colours"):
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        page.goto("/@bob")
        heart = steps.heart(steps.posts(page))
        steps.expect_state(heart, on=True)
        expect(heart.locator(".icon")).not_to_have_css("fill", "none")
        with page.expect_response("**/like"):
            heart.click()
        expect(heart.locator(".icon")).to_have_css("fill", "none")
        with page.expect_response("**/like"):
            heart.click()  # as it was, for the next scheme

        page.goto("/")
        steps.composer(page).fill("Half " * 60)
        strokes = "(ring) => [...ring.children].map((circle) => getComputedStyle(circle).stroke)"
        whole, used = page.locator(".ring").evaluate(strokes)
        assert whole != used
        expect(page.locator("#composer")).to_have_css("outline-style", "solid")
        button = page.get_by_role("button", name="Post", exact=True)
        expect(button).to_have_css("border-top-width", "1px")


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

"""Every layout fits its screen, with large text and on paper."""

import io
from itertools import pairwise, product

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from accounts.profile.writes import edit_profile
from feed.likes.writes import like_post
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from socialsite.process_state import reset_process_state
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SCHEMES, sideways
from tests.conftest import person, post
from tests.injected.faults import IS_LONG, share
from tests.moderation.cases import report_by_each
from tests.relations.scenes import befriend

TWICE = "document.documentElement.style.setProperty('font-size', '200%')"

embedded_alone = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NARROW = {"width": 320, "height": 640}
SCALES = ("100%", "200%")
IS_ON_TOP = """(button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


@pytest.fixture
def page(alice, bob, carol, signed_in, drain_stream) -> Page:
    edit_profile(
        by=bob,
        name="Wilhelmine Friederike von Hohenstein-Wertheim",
        bio="Bread and bicycles",
        location="",
    )
    befriend(alice, bob)
    for other in (bob, carol):
        follow(by=alice, user_id=other.user_id)
        follow(by=other, user_id=alice.user_id)
        post(other, "Good morning from the baker's window, where it smells of cinnamon.")
    for other in (person("dora"), person("erik")):
        request_friend(by=other, user_id=alice.user_id)
        follow(by=other, user_id=bob.user_id)
        post(other, "Hello")
    drain_stream()
    return signed_in(alice)


@embedded_alone
def test_tabs_that_do_not_fit_are_shaded_and_a_long_name_drops_the_handle_before_it_is_cut(
    page, bob
):
    page.set_viewport_size(NARROW)
    tabs = page.get_by_role("navigation", name="Settings").locator(".tabs")
    for scheme in share(SCHEMES, one_of=2, salt="tabs"):
        page.emulate_media(color_scheme=scheme)
        page.goto("/settings/profile")
        page.evaluate(TWICE)
        assert tabs.evaluate("(tabs) => tabs.scrollWidth > tabs.clientWidth")
        start, end = shades(tabs)
        assert start < 2
        assert end > 20

        tabs.evaluate("(tabs) => tabs.scrollTo(tabs.scrollWidth, 0)")
        start, end = shades(tabs)
        assert start > 20
        assert end < 2

    # The tab that is open is in view.
    page.goto("/settings/data")
    page.evaluate(TWICE)
    page.reload()
    expect(tabs.locator("[aria-current]")).to_be_in_viewport(ratio=1)

    # A long name drops the handle before it is cut itself.
    of_a_post = f"/@bob/posts/{post(bob, 'Again')}"
    page.set_viewport_size(PHONE)
    for path in ("/", of_a_post, "/friends", "/search?q=wilh", "/@alice/followers"):
        page.goto(path)
        pair = page.locator("main :is(.post-author, .person-name)")
        pair = pair.filter(has_text="Wilhelmine").first
        name, handle = pair.locator(".name"), pair.locator(".handle")
        whole, name_box, handle_box = (one.bounding_box() for one in (pair, name, handle))
        end = whole["x"] + whole["width"]
        is_cut = name_box["x"] + name_box["width"] > end + 1 or name.evaluate(
            "(name) => name.clientWidth > 0 && name.scrollWidth > name.clientWidth + 1"
        )
        is_on_one_line = handle_box["y"] < name_box["y"] + name_box["height"] / 2
        assert not is_cut or (is_on_one_line and handle_box["x"] >= end), path


def shades(tabs: Locator) -> tuple[float, float]:
    """How far the colour at each end of the row is from that of the surface."""
    picture = Image.open(io.BytesIO(tabs.screenshot())).convert("L")
    surface = tabs.page.locator(".column").evaluate(
        "(column) => Number(getComputedStyle(column).backgroundColor.match(/\\d+/)[0])"
    )
    return tuple(abs(picture.getpixel((x, 3)) - surface) for x in (1, picture.width - 2))


@embedded_alone
def test_the_buttons_of_a_dialog_are_on_the_screen_from_the_start(page):
    form = page.get_by_role("dialog")
    for entry in ("Mute…", "Block…", "Report…"):
        for size, scale in share(product([PHONE, NARROW], SCALES), one_of=4, salt=entry):
            page.set_viewport_size(size)
            page.goto("/@bob")
            page.locator(".profile-menu summary").click()
            page.locator(".profile-menu").get_by_role("link", name=entry).click()
            page.evaluate(f"document.documentElement.style.setProperty('font-size', '{scale}')")
            buttons = form.locator(".buttons .button")
            expect(buttons).to_have_count(2)
            for button in buttons.all():
                expect(button).to_be_in_viewport(ratio=1)
                assert button.evaluate(IS_ON_TOP), f"{entry} {size} {scale}"
    form.get_by_label("Block this person too").check()
    expect(form.get_by_label("Block this person too")).to_be_in_viewport(ratio=1)


# Every layout of the site fits its screen, from a narrow phone to a desktop, also with text twice as large.

LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 3
OWN_PATHS = (
    "/", "/local", "/explore", "/search?q=w", "/@alice", "/@bob", "/@alice/followers", "/posts/new", "/welcome",
    "/settings/profile", "/settings/appearance", "/settings/app", "/offline", "/help/keys", "/about",
)  # fmt: skip
PUBLIC_PATHS = (
    "/",
    "/local",
    "/@bob",
    "/login",
    "/signup",
    "/password/forgot",
    "/about",
    "/help/keys",
)
OF_A_POST = ("", "/likers")
NARROWEST = 320
WIDTHS = (NARROWEST, 390, 700, 820, 1019, 1020, 1100, 1240, 1366)
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
def page_of_alice(post_path, alice, signed_in) -> Page:
    return signed_in(alice)


def too_wide(page: Page, path: str) -> list[str]:
    """What sticks out of the page at any width, and with text twice as large."""
    page.goto(path)
    problems = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        if (pixels := sideways(page)) > 0:
            problems.append(f"{path} scrolls sideways by {pixels} pixels at {width}")
        if width == NARROWEST:
            problems += [f"{path} at {width}: {found}" for found in page.evaluate(TOO_WIDE)]
    page.evaluate(TWICE)
    for width in WIDTHS_OF_LARGE_TEXT:
        page.set_viewport_size({"width": width, "height": 800})
        if (pixels := sideways(page)) > 0:
            problems.append(f"{path} with large text by {pixels} pixels at {width}")
    return problems


@embedded_alone
def test_no_page_is_wider_than_its_screen(page_of_alice, post_path, alice, visitor, watch):
    watch.expect("404 /nowhere")
    own = f"/@alice/posts/{post(alice, LONG)}/delete"
    paths = (*OWN_PATHS, *(f"{post_path}{part}" for part in OF_A_POST), own)
    problems = [problem for path in paths for problem in too_wide(page_of_alice, path)]
    page = visitor()
    paths = (*PUBLIC_PATHS, post_path, "/nowhere")
    assert problems + [problem for path in paths for problem in too_wide(page, path)] == []


@embedded_alone
def test_navigation_right_column_and_help_sheet_by_width(page_of_alice, visitor):
    navigation = page_of_alice.get_by_role("navigation", name="Main")
    label = navigation.locator(".nav-label", has_text="Home")
    page_of_alice.goto("/")
    for width, opacity, beside in ((820, "0", False), (1100, "0", True), (1366, "1", True)):
        page_of_alice.set_viewport_size({"width": width, "height": 800})
        expect(label, f"label at {width}").to_have_css("opacity", opacity)
        expect(page_of_alice.get_by_role("complementary")).to_be_visible(visible=beside)
        assert page_of_alice.get_by_role("main").bounding_box()["width"] == 600, width

    # A phone has it at the bottom.
    page_of_alice.set_viewport_size(PHONE)
    box = navigation.bounding_box()
    assert box["y"] + box["height"] == PHONE["height"]
    assert box["width"] >= PHONE["width"] - 20

    for phone in (page_of_alice, visitor()):
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
    page_of_alice.set_viewport_size(PHONE)
    page_of_alice.goto("/")
    page_of_alice.evaluate(TWICE)
    page_of_alice.keyboard.press("?")
    sheet = page_of_alice.get_by_role("dialog")
    expect(sheet).to_be_visible()
    assert sheet.evaluate("(sheet) => sheet.scrollWidth - sheet.clientWidth") == 0


@embedded_alone
def test_the_bar_of_staff_has_room_for_moderation_and_no_bar_covers_what_has_the_focus(
    signed_in, mod, alice, bob, carol
):
    report_by_each(bob, by=[carol])
    reset_process_state()
    for language in share(LANGUAGES, one_of=3, salt="bar of staff"):
        page = signed_in(mod, viewport={"width": NARROWEST, "height": 640}, locale=language)
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

    for number in range(12):
        post(alice, f"Number {number}")
    page = signed_in(alice, viewport={"width": 390, "height": 500})
    page.goto("/")
    expect(steps.posts(page)).to_have_count(12)
    for heart in steps.posts(page).get_by_role("button", name="Like").all():
        heart.focus()
        expect(heart).to_be_in_viewport()
        assert heart.evaluate(IS_ON_TOP)


@embedded_alone
def test_forced_colours_more_contrast_and_paper_show_what_matters_there(page_of_alice, bob):
    page_of_alice.set_viewport_size(DESKTOP)
    for scheme in share(SCHEMES, one_of=2, salt="forced colours"):
        page_of_alice.emulate_media(forced_colors="active", color_scheme=scheme)
        page_of_alice.goto("/@bob")
        heart = steps.heart(steps.posts(page_of_alice))
        steps.expect_state(heart, on=True)
        expect(heart.locator(".icon")).not_to_have_css("fill", "none")
        with page_of_alice.expect_response("**/like"):
            heart.click()
        expect(heart.locator(".icon")).to_have_css("fill", "none")
        with page_of_alice.expect_response("**/like"):
            heart.click()  # as it was, for the next scheme

        page_of_alice.goto("/")
        steps.composer(page_of_alice).fill("Half " * 60)
        strokes = "(ring) => [...ring.children].map((circle) => getComputedStyle(circle).stroke)"
        whole, used = page_of_alice.locator(".ring").evaluate(strokes)
        assert whole != used
        expect(page_of_alice.locator("#composer")).to_have_css("outline-style", "solid")
        button = page_of_alice.get_by_role("button", name="Post", exact=True)
        expect(button).to_have_css("border-top-width", "1px")

    # More contrast makes words and lines stronger.
    page_of_alice.emulate_media(forced_colors="none", color_scheme="light")
    colours = """() => {
        const post = document.querySelector('.post');
        const count = post.querySelector('.post-time');
        return [getComputedStyle(post).borderBottomColor, getComputedStyle(count).color];
    }"""
    page_of_alice.goto("/@bob")
    usual = page_of_alice.evaluate(colours)
    page_of_alice.emulate_media(contrast="more")
    strong = page_of_alice.evaluate(colours)
    assert all(before != after for before, after in zip(usual, strong, strict=True))

    page_of_alice.keyboard.press("j")
    expect(steps.posts(page_of_alice)).to_have_css("outline-width", "4px")

    # On paper there is what was written and by whom, and nothing that one would press.
    edit_profile(by=bob, name="Bob Brandt", bio="I mend bicycles", location="Leipzig")
    post_id = post(bob, "Worth keeping")
    page = page_of_alice
    page.emulate_media(media="print", color_scheme="dark", contrast="no-preference")
    page.goto("/@bob")
    expect(page.get_by_role("heading", name="Bob Brandt")).to_be_visible()
    for text in ("I mend bicycles", "Leipzig", "Worth keeping"):
        expect(page.get_by_text(text)).to_be_visible()
    expect_only_words(page)

    page.goto(f"/@bob/posts/{post_id}")
    expect(page.get_by_text("Worth keeping")).to_be_visible()
    expect(page.locator(".post-author")).to_contain_text("Bob Brandt")
    expect(page.locator(".post-when")).to_be_visible()
    expect_only_words(page)


def expect_only_words(page: Page) -> None:
    for locator in (
        page.locator("nav, button, summary, .button, .icon-button"),
        page.get_by_role("complementary"),
        page.locator(".topbar, .toasts"),
    ):
        for element in locator.all():
            expect(element).to_be_hidden()
    colours = page.locator("main").evaluate(
        "(main) => [getComputedStyle(main).backgroundColor, getComputedStyle(main).color]"
    )
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


# The pages that most people see, on every kind of screen, in light and dark, in every language.
#
# Each page is looked at in one of these ways a run, another one each time; in all of them with `FAULTS=long`.

TABLET = {"width": 820, "height": 1180}
LANGUAGES_OF_BROWSERS = {
    "en": "en-GB",
    "de": "de-DE",
    "zh-hans": "zh-CN",
}  # of the page: of the browser
TEXTS = [
    "Ein Satz mit einer Donaudampfschifffahrtsgesellschaftskapitänsmütze, https://example.org/a/b",
    "今天看完了一本写海岛的小说。",
    "صباح الخير من البحر",
]


@pytest.fixture
def liked_post_path(alice, bob, carol, drain_stream) -> str:
    """The address of a post that is liked; Alice follows its author, so it is on her home page."""
    follow(by=alice, user_id=bob.user_id)
    edit_profile(by=bob, name="Bob ברנדט", bio="Fahrradwerkstatt am Brunnen.", location="İstanbul")
    for text in TEXTS:
        post_id = post(bob, text)
    for fan in (alice, carol):
        like_post(by=fan, post_id=post_id, author_id=bob.user_id)
    drain_stream()
    return f"/@bob/posts/{post_id}"


@embedded_alone
@pytest.mark.timeout(900 if IS_LONG else 120)
def test_pages_are_right_on_every_screen(liked_post_path, alice, signed_in, visitor, look):
    own = {
        language: signed_in(alice, locale=locale)
        for language, locale in LANGUAGES_OF_BROWSERS.items()
    }
    public = {
        language: visitor(locale=locale) for language, locale in LANGUAGES_OF_BROWSERS.items()
    }
    pages = [(own, path) for path in ("/", "/@bob", liked_post_path)]
    pages += [(own, "/settings/profile"), (own, "/settings/appearance"), (public, "/signup")]
    problems = []
    for number, (browsers, path) in enumerate(pages):
        for language in share(LANGUAGES_OF_BROWSERS, one_of=3, salt=f"page {number} in a language"):
            page = browsers[language]
            page.goto(path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            problems += look(page, sizes=(PHONE, TABLET, DESKTOP))
    assert problems == []

"""A view has at most one filled button, so that the eye finds what is usually done there. With text twice as large,
words stay whole, buttons keep their width, and tabs tell that they scroll.

Each page is looked at on one screen a run, another one each time; on all of them with `FAULTS=long`.
"""

import io
from itertools import product

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from accounts.profile.writes import edit_profile
from relations.follows.writes import follow
from relations.friends.writes import request_friend
from tests.browser import steps
from tests.browser.glances import TWICE, faults_on, filled
from tests.browser.screens import DESKTOP, PHONE, SCHEMES
from tests.conftest import person, post
from tests.injected.rotation import share
from tests.relations.relations import befriend

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NARROW = {"width": 320, "height": 640}
SCALES = ("100%", "200%")
IS_ON_TOP = """(button) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
OWN = [
    "/",
    "/local",
    "/explore",
    "/explore/posts",
    "/favourites",
    "/search?q=b",
    "/@alice",
    "/@bob",
    "/@alice/followers",
    "/posts/new",
]
OWN += [
    "/friends",
    "/friends?show=favourites&location=i",
    "/circles",
    "/requests",
    "/settings/profile",
    "/settings/appearance",
    "/settings/privacy",
    "/settings/old-posts",
]
OWN += [
    "/settings/blocks",
    "/settings/security",
    "/settings/passkeys",
    "/settings/handle",
    "/settings/close",
    "/settings/email",
    "/settings/data",
    "/settings/export",
    "/settings/reports",
    "/@bob/report",
    "/@bob/mute",
]
OWN += [
    "/saved",
    "/drafts",
    "/scheduled",
    "/photos",
    "/notifications",
    "/settings/notifications",
    "/@bob/block",
    "/@bob/circles",
    "/welcome",
    "/about",
    "/rules",
    "/help/keys",
]
PUBLIC = [
    "/",
    "/local",
    "/explore",
    "/@bob",
    "/login",
    "/signup",
    "/password/forgot",
    "/about",
    "/rules",
    "/settings/appearance",
]


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


def faults_of(page: Page, paths: list[str]) -> list[str]:
    screens = [
        (path, size)
        for path in paths
        for size in share([PHONE, NARROW, DESKTOP], one_of=3, salt=f"large text of {path}")
    ]
    return [
        f"{path}, {size['width']} wide: {fault}"
        for path, size in screens
        for fault in faults_on(page, path, size)
    ]


def test_every_page_of_a_member_can_be_read(page):
    assert not "\n".join(faults_of(page, OWN))
    page.set_viewport_size(DESKTOP)
    page.goto("/")
    assert filled(page) == []
    steps.composer(page).fill("Hello")  # Post becomes that button once there is something to post
    expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()
    assert filled(page) == ["Post"]


def test_every_page_of_a_visitor_can_be_read(page, visitor):
    assert not "\n".join(faults_of(visitor(), PUBLIC))


def test_tabs_that_do_not_fit_are_shaded_where_more_of_them_are(page):
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


def shades(tabs: Locator) -> tuple[float, float]:
    """How far the colour at each end of the row is from that of the surface."""
    picture = Image.open(io.BytesIO(tabs.screenshot())).convert("L")
    surface = tabs.page.locator(".column").evaluate(
        "(column) => Number(getComputedStyle(column).backgroundColor.match(/\\d+/)[0])"
    )
    return tuple(abs(picture.getpixel((x, 3)) - surface) for x in (1, picture.width - 2))


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


def test_a_long_name_drops_the_handle_before_it_is_cut_itself(page, bob):
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

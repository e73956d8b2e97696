"""Nothing makes a page scroll sideways: at 320 pixels, with long words, with large text. Dialogs keep their buttons."""

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from accounts.services.edit_profile import edit_profile
from feed.services.like_post import like_post
from moderation.staff.nav import forget_staff_nav
from relations.services.follow import follow
from tests.browser import steps
from tests.conftest import post
from tests.moderation.queues import report

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

NARROW = {"width": 320, "height": 640}
LONG = "Donaudampfschifffahrtsgesellschaftskapitän" * 3
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
OWN = ["/", "/local", "/@alice", "/@alice/followers", "/posts/new", "/settings/profile"]
OWN += ["/settings/appearance", "/explore", "/search?q=w", "/welcome"]


@pytest.fixture
def post_path(alice, bob, drain_stream) -> str:
    edit_profile(by=alice, name="W" * 50, bio=LONG, location="W" * 60)
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice, f"{LONG}\nhttps://example.org/{'a' * 200}")
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    return f"/@alice/posts/{post_id}"


def test_no_page_of_a_member_is_wider_than_the_screen(post_path, bob, alice, signed_in):
    page = signed_in(alice, viewport=NARROW)
    paths = [*OWN, post_path, f"{post_path}/likers", f"{post_path}/delete"]
    found = {}
    for path in paths:
        page.goto(path)
        found[path] = page.evaluate(TOO_WIDE)
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"], path
    assert not {path: elements for path, elements in found.items() if elements}


def test_no_page_of_a_visitor_is_wider_than_the_screen(post_path, visitor, watch):
    watch.expect("404 /nowhere")
    page = visitor(viewport=NARROW)
    for path in (
        "/",
        "/local",
        "/@alice",
        "/login",
        "/signup",
        "/password/forgot",
        "/about",
        "/nowhere",
        post_path,
    ):
        page.goto(path)
        assert page.evaluate(TOO_WIDE) == [], path


def test_text_twice_as_large_still_fits(post_path, alice, signed_in):
    page = signed_in(alice, viewport={"width": 640, "height": 800})
    for path in OWN:
        page.goto(path)
        page.evaluate("document.documentElement.style.setProperty('font-size', '200%')")
        assert page.evaluate("document.documentElement.scrollWidth") <= 640, path


@pytest.mark.parametrize("font_size", ["100%", "200%"])
@pytest.mark.parametrize("language", ["en-GB", "de-DE", "zh-CN"])
def test_the_bar_of_staff_has_room_for_moderation(signed_in, mod, bob, carol, language, font_size):
    report(bob, by=[carol])
    forget_staff_nav()
    page = signed_in(mod, viewport=NARROW, locale=language)
    page.goto("/")
    page.evaluate(f"document.documentElement.style.setProperty('font-size', '{font_size}')")
    links = page.locator(".nav-link:visible")
    expect(links).to_have_count(6)
    assert page.evaluate(TOO_WIDE) == []
    words = [link.locator(".nav-label").bounding_box() for link in links.all()]
    for word, following in pairwise(words):
        assert word["x"] + word["width"] <= following["x"]
    staff = page.locator('.nav a[href="/moderation"]')
    expect(staff).to_be_in_viewport(ratio=1)
    expect(staff.locator(".nav-badge")).to_contain_text("1")
    staff.click()
    expect(page.locator(".case-row")).to_have_count(1)


def test_bars_do_not_cover_what_has_the_focus(alice, signed_in):
    for number in range(12):
        post(alice, f"Number {number}")
    page = signed_in(alice, viewport={"width": 390, "height": 500})
    page.goto("/")
    for heart in steps.posts(page).get_by_role("button", name="Like").all():
        heart.focus()
        expect(heart).to_be_in_viewport()
        middle = heart.evaluate(
            "(e) => { const r = e.getBoundingClientRect();"
            " return e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2)) }"
        )
        assert middle


@pytest.mark.parametrize("font_size", ["100%", "200%"])
def test_the_buttons_of_the_report_dialog_are_seen_from_the_start(signed_in, alice, bob, font_size):
    page = signed_in(alice, viewport={"width": 375, "height": 620})
    page.goto("/@bob")
    page.evaluate(f"document.documentElement.style.setProperty('font-size', '{font_size}')")
    page.locator(".profile-menu summary").click()
    page.locator(".profile-menu").get_by_role("link", name="Report").click()
    form = page.locator("#modal form.report")
    for name in ("Report", "Cancel"):
        button = form.get_by_text(name, exact=True)
        expect(button).to_be_in_viewport(ratio=1)
        button.click(trial=True)  # nothing lies over it
    form.get_by_label("Block this person too").check()
    expect(form.get_by_label("Block this person too")).to_be_in_viewport(ratio=1)

"""The menu of a post: copy its link, share it, mute or block its author, with scripts and as it is without them."""

from itertools import product

import pytest
from playwright.sync_api import Page, expect

from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE, SIZES
from tests.conftest import post
from tests.relations.relations import relationship

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

SHARE_SCRIPT = "**/js/share.js"
SHARES = "navigator.share = async (what) => { window.shared = what; };"
GIVES_UP = """() => {
    navigator.share = async () => { throw new DOMException("gone", "AbortError"); };
}"""
HAS_NEITHER = """for (const name of ["clipboard", "share"])
    Object.defineProperty(navigator, name, { value: undefined });"""


@pytest.fixture
def bobs_post(alice, bob, drain_stream) -> str:
    """At the top of Alice's home."""
    follow(by=alice, user_id=bob.user_id)
    post_id = post(bob, "Buy my tea")
    drain_stream()
    return f"/@bob/posts/{post_id}"


def choose(page: Page, text: str, entry: str) -> None:
    steps.open_menu(steps.card(page, text))
    page.get_by_role("link", name=entry).click()


def test_copying_the_link_says_so_and_gives_the_focus_back(signed_in, alice, bobs_post):
    page = signed_in(alice)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/")
    choose(page, "Buy my tea", "Copy link")

    expect(steps.toast(page)).to_contain_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()").endswith(bobs_post)
    expect(steps.card(page, "Buy my tea").locator("summary")).to_be_focused()
    expect(page.get_by_role("link", name="Copy link")).to_be_hidden()
    steps.same_place(page, "/")


def test_an_entry_that_has_done_its_work_closes_the_menu(signed_in, alice, bobs_post):
    page = signed_in(alice)
    page.goto("/")
    menu = steps.card(page, "Buy my tea").locator("summary")
    menu.click()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Saved. Only you can see it.")
    expect(page.get_by_role("button", name="Save")).to_be_hidden()
    expect(menu).to_be_focused()


def test_the_page_of_a_post_has_its_link_or_what_shares_it(signed_in, alice, bobs_post):
    page = signed_in(alice)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(bobs_post)
    page.locator(".post-detail > .post-when").get_by_role("link", name="Copy link").click()
    expect(steps.toast(page)).to_contain_text("Link copied.")
    assert page.evaluate("navigator.clipboard.readText()").endswith(bobs_post)

    page.add_init_script(SHARES)
    page.reload()
    page.locator(".post-when").get_by_role("link", name="Share…").click()
    assert page.evaluate("window.shared.url").endswith(bobs_post)
    steps.same_place(page, bobs_post)


def test_where_nothing_can_be_copied_or_shared_the_link_leads_to_the_post(
    signed_in, alice, bobs_post
):
    able, plain = signed_in(alice), signed_in(alice, java_script_enabled=False)
    able.add_init_script(HAS_NEITHER)
    for page in (able, plain):
        page.goto("/")
        steps.open_menu(steps.card(page, "Buy my tea"))
        expect(page.get_by_role("link", name="Copy link")).to_be_visible()
        expect(page.get_by_text("Share…")).to_be_hidden()
        page.get_by_role("link", name="Copy link").click()
        steps.same_place(page, bobs_post)


def test_sharing_hands_title_and_address_to_the_device(signed_in, alice, bobs_post):
    page = signed_in(alice)
    page.add_init_script(SHARES)
    held = steps.hold(page, SHARE_SCRIPT)
    page.goto("/")
    menu = steps.card(page, "Buy my tea").locator("summary")
    share = page.get_by_role("button", name="Share…")
    menu.click()
    expect(share).to_have_count(0)
    steps.let_go(page, SHARE_SCRIPT, held)
    expect(share, "a menu that was open before the script came has the entry").to_be_visible()
    share.click()

    expect(menu).to_be_focused()
    expect(share).to_be_hidden()
    shared = page.evaluate("window.shared")
    assert shared["title"] == "Bob Brandt (@bob)"
    assert shared["url"] == page.url.rstrip("/") + bobs_post
    steps.same_place(page, "/")

    # Sharing that is given up is no error: the watch over every page would tell of one.
    page.evaluate(GIVES_UP)
    menu.click()
    share.click()
    expect(menu).to_be_focused()
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_muting_and_blocking_from_a_post_lead_back_to_the_page_without_it(
    signed_in, alice, bob, carol, bobs_post, drain_stream, size
):
    follow(by=alice, user_id=carol.user_id)
    post(carol, "Read my book")
    drain_stream()
    page = signed_in(alice, viewport=size)
    page.goto("/?from=here")
    choose(page, "Buy my tea", "Mute @bob")
    page.get_by_label("7 days").check()
    page.get_by_role("button", name="Mute").click()

    expect(steps.toast(page)).to_contain_text("You’ve muted @bob.")
    expect(steps.card(page, "Buy my tea")).to_have_count(0)
    steps.same_place(page, "/?from=here")
    assert relationship(alice, bob).mutes

    choose(page, "Read my book", "Block @carol")
    page.get_by_role("button", name="Block").click()
    expect(steps.toast(page)).to_contain_text("You’ve blocked @carol.")
    expect(steps.posts(page)).to_have_count(0)
    steps.same_place(page, "/?from=here")
    assert relationship(alice, carol).blocks


SCREENS = [PHONE, DESKTOP, {"width": 844, "height": 390}, {"width": 820, "height": 700}]
PLACES = ["start", "center", "end"]
OUTSIDE = """() => {
    const {top, bottom, left, right} = document.querySelector("details[open] > .menu-list").getBoundingClientRect();
    return Math.max(-top, -left, bottom - innerHeight, right - innerWidth);
}"""


@pytest.mark.usefixtures("bobs_post")
def test_a_menu_opens_where_the_screen_has_room_for_it(signed_in, alice):
    posts = [post(alice, f"{number}") for number in range(8)]
    for scripts in (True, False):
        page = signed_in(alice, java_script_enabled=scripts)
        page.goto("/")
        for screen, place in product(SCREENS, PLACES):
            page.set_viewport_size(screen)
            for button in (
                page.locator(".account > summary"),
                page.locator(f"#post-{posts[3]} summary"),
            ):
                button.evaluate("(element, block) => element.scrollIntoView({block})", place)
                button.click()
                assert page.evaluate(OUTSIDE) <= 0, (scripts, screen, place)
                button.press("Enter")

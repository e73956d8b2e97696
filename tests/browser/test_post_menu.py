"""The menu of a post: copy its link, share it, mute or block its author, report it; with and without scripts."""

import pytest
from playwright.sync_api import Page, expect

from relations.services.follow import follow
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import post
from tests.relations.relations import relationship

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

both = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])


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


def test_without_a_clipboard_or_scripts_the_link_leads_to_the_post(signed_in, alice, bobs_post):
    page = signed_in(alice)
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    for page in (page, signed_in(alice, java_script_enabled=False)):  # noqa: B020
        page.goto("/")
        choose(page, "Buy my tea", "Copy link")
        steps.same_place(page, bobs_post)


@both
@pytest.mark.parametrize("size", SIZES)
def test_muting_from_a_post_leads_back_to_the_page_without_it(
    signed_in, alice, bob, bobs_post, scripts, size
):
    page = signed_in(alice, java_script_enabled=scripts, viewport=size)
    page.goto("/?from=here")
    choose(page, "Buy my tea", "Mute @bob")
    page.get_by_label("7 days").check()
    page.get_by_role("button", name="Mute").click()

    expect(steps.toast(page)).to_contain_text("You’ve muted @bob.")
    steps.same_place(page, "/?from=here")
    expect(steps.posts(page)).to_have_count(0)
    assert relationship(alice, bob).mutes


@both
def test_blocking_from_a_post_leads_back_to_the_page_without_it(
    signed_in, alice, bob, bobs_post, scripts
):
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/")
    choose(page, "Buy my tea", "Block @bob")
    page.get_by_role("button", name="Block").click()

    expect(steps.toast(page)).to_contain_text("You’ve blocked @bob.")
    steps.same_place(page, "/")
    expect(steps.posts(page)).to_have_count(0)
    assert relationship(alice, bob).blocks


@both
def test_blocking_from_the_page_of_a_post_leads_to_the_profile(
    signed_in, alice, bob, bobs_post, scripts
):
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto(bobs_post)
    choose(page, "Buy my tea", "Block @bob")
    page.get_by_role("button", name="Block").click()

    steps.same_place(page, "/@bob")


def test_own_posts_can_be_copied_quoted_saved_changed_and_deleted_only(signed_in, alice):
    post(alice, "Mine")
    page = signed_in(alice)
    page.goto("/@alice")
    steps.open_menu(steps.card(page, "Mine"))
    expect(steps.card(page, "Mine").locator(".menu-list").get_by_role("link")).to_have_text(
        [
            *("Copy link", "Quote post", "Save…", "Edit post", "Pin to your profile"),
            *("Who can reply…", "Who can see this…", "Delete post"),
        ]
    )


def test_sharing_is_offered_in_a_menu_that_was_opened_before_its_script_came(
    signed_in, alice, bobs_post
):
    page = signed_in(alice)
    page.add_init_script("navigator.share = async () => {};")
    held = steps.hold(page, "**/js/share.js")
    page.goto("/")
    steps.open_menu(steps.card(page, "Buy my tea"))
    expect(page.get_by_role("button", name="Share…")).to_have_count(0)
    steps.let_go(page, "**/js/share.js", held)
    expect(page.get_by_role("button", name="Share…")).to_be_visible()


def test_sharing_hands_title_and_address_to_the_device(signed_in, alice, bobs_post):
    page = signed_in(alice)
    page.add_init_script("navigator.share = async (what) => { window.shared = what; };")
    page.goto("/")
    steps.open_menu(steps.card(page, "Buy my tea"))
    page.get_by_role("button", name="Share…").click()

    shared = page.evaluate("window.shared")
    assert shared["title"] == "Bob Brandt (@bob)"
    assert shared["url"] == page.url.rstrip("/") + bobs_post
    expect(steps.card(page, "Buy my tea").locator("summary")).to_be_focused()
    expect(page.get_by_role("button", name="Share…")).to_be_hidden()
    steps.same_place(page, "/")


def test_sharing_that_is_given_up_is_no_error(signed_in, alice, bobs_post):
    page = signed_in(alice)
    faults: list[object] = []
    page.on("pageerror", lambda fault: faults.append(fault))
    page.add_init_script(
        "navigator.share = async () => { throw new DOMException('gone', 'AbortError'); };"
    )
    page.goto("/")
    steps.open_menu(steps.card(page, "Buy my tea"))
    page.get_by_role("button", name="Share…").click()

    expect(steps.card(page, "Buy my tea").locator("summary")).to_be_focused()
    assert page.evaluate("document.querySelectorAll('.toast').length") == 0
    assert faults == []


@both
def test_what_the_browser_cannot_share_is_not_offered(signed_in, alice, bobs_post, scripts):
    page = signed_in(alice, java_script_enabled=scripts)
    if scripts:
        page.add_init_script("Object.defineProperty(navigator, 'share', { value: undefined })")
    page.goto("/")
    steps.open_menu(steps.card(page, "Buy my tea"))
    expect(page.get_by_role("link", name="Copy link")).to_be_visible()
    expect(page.get_by_text("Share…")).to_be_hidden()

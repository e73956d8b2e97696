"""Everything can be done with the keyboard alone, and single keys do the common things."""

import pytest
from playwright.sync_api import Page, expect

from relations.follows.writes import follow
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import PASSWORD, post


@pytest.fixture
def page(signed_in, alice, bob) -> Page:
    post(bob, "By Bob")
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def test_one_skips_to_the_content_follows_likes_reads_on_posts_and_deletes_without_a_mouse(
    page, watch
):
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()

    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()

    follow = page.get_by_role("button", name="Bob Brandt")
    steps.tab_to(page, follow)
    with page.expect_response("**/follow"):
        page.keyboard.press("Enter")
    steps.expect_state(follow, on=True)
    expect(follow).to_be_focused()

    heart = steps.heart(steps.card(page, "By Bob"))
    for on in (True, False):
        if on:
            steps.tab_to(page, heart)
        with page.expect_response("**/like"):
            page.keyboard.press("Space")
        steps.expect_state(heart, on=on)
        expect(heart).to_be_focused()

    page.keyboard.press("Shift+Tab")
    expect(steps.card(page, "By Bob").get_by_role("button", name="Repost")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(steps.card(page, "By Bob").get_by_role("link", name="Reply")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(steps.card(page, "By Bob").locator("summary")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(steps.title(page)).to_have_text("Post")

    page.goto("/")
    tab_to_composer(page)
    page.keyboard.type("With ten fingers")
    page.keyboard.press("Control+Enter")
    expect(steps.posts(page).first).to_contain_text("With ten fingers")
    expect(steps.composer(page)).to_be_focused()

    menu = steps.card(page, "With ten fingers").locator("summary")
    steps.tab_to(page, menu)
    page.keyboard.press("Enter")
    steps.tab_to(page, steps.card(page, "With ten fingers").get_by_role("link", name="Delete post"))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(dialog.get_by_role("button", name="Delete")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Post deleted")).to_be_focused()

    # A menu and a toast give the focus back.
    page.goto("/@bob")
    summary = page.locator(".account summary")
    entry = page.get_by_role("link", name="View profile")
    steps.tab_to(page, summary)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(entry).to_be_focused()
    page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(summary).to_be_focused()

    page.keyboard.press("Enter")
    expect(entry).to_be_visible()
    page.keyboard.press("Shift+Tab")
    expect(entry, "leaving a menu closes it").to_be_hidden()

    watch.expect("htmx:sendError")
    page.context.set_offline(True)
    steps.heart(steps.card(page, "By Bob")).click()
    close = steps.toast(page).get_by_role("button", name="Close")
    close.focus()
    page.keyboard.press("Enter")
    expect(close).to_have_count(0)
    expect(page.locator("#main")).to_be_focused()


def tab_to_composer(page: Page) -> None:
    # The whole composer is underlined while one writes in it, in place of an outline.
    for _ in range(30):
        page.keyboard.press("Tab")
        if steps.is_focused(page) == "id_content":
            break
    expect(steps.composer(page)).to_be_focused()
    assert (
        page.locator("#composer").evaluate("(form) => getComputedStyle(form).boxShadow") != "none"
    )


def test_a_visitor_changes_the_language_and_signs_in_without_a_mouse(strict, alice):
    strict.goto("/login")
    languages = strict.locator(".languages:visible")
    for name, code in (("中文", "zh-hans"), ("English", "en")):
        steps.tab_to(strict, languages.get_by_role("button", name=name))
        strict.keyboard.press("Enter")
        expect(strict.locator("html")).to_have_attribute("lang", code)
    strict.wait_for_load_state()
    steps.tab_to(strict, strict.get_by_label("Handle or email"))
    strict.keyboard.type("alice")
    strict.keyboard.press("Tab")
    strict.keyboard.type(PASSWORD)
    strict.keyboard.press("Enter")
    expect(steps.title(strict)).to_have_text("Home")


@pytest.fixture
def page_of_people(alice, bob, carol, drain_stream, signed_in) -> Page:
    """Alice's browser; Bob and Carol have posted."""
    for author in (bob, carol):
        post(author)
    drain_stream()
    return signed_in(alice)


# People are found and followed with the keyboard alone. The first steps are taken so in test_accounts.py.


def test_people_are_followed_from_the_right_column_and_from_the_list_of_a_search(
    page_of_people, bob, carol, axe
):
    follow(by=bob, user_id=carol.user_id)
    page_of_people.goto("/@carol/followers")
    own = page_of_people.get_by_role("main").get_by_role("button", name="Bob Brandt")
    button = page_of_people.get_by_role("complementary").get_by_role("button", name="Bob Brandt")
    expect(button).to_be_visible()
    steps.tab_to(page_of_people, button)
    with page_of_people.expect_response("**/follow"):
        page_of_people.keyboard.press("Space")
    steps.expect_state(button, on=True)
    steps.expect_focus(button)
    steps.expect_state(own, on=False)  # until the page is loaded anew
    assert axe(page_of_people) == []

    page_of_people.goto("/explore")
    main = page_of_people.get_by_role("main")
    steps.tab_to(page_of_people, main.get_by_label("Search people"))
    page_of_people.keyboard.type("carol", delay=30)
    people = page_of_people.locator("article.person")
    expect(people).to_have_count(1)
    steps.expect_focus(main.get_by_label("Search people"))

    button = people.get_by_role("button", name="Carol 陈")
    steps.tab_to(page_of_people, button)
    with page_of_people.expect_response("**/follow"):
        page_of_people.keyboard.press("Enter")
    steps.expect_state(button, on=True)
    steps.expect_focus(button)


@pytest.fixture
def page_with_own_post(alice, signed_in) -> Page:
    post(alice, "My own words")
    return signed_in(alice)


# Looks, language and profile are reached and changed with the keyboard alone.


def save(page: Page) -> None:
    steps.tab_to(page, page.get_by_role("main").locator("form .button").first)
    page.keyboard.press("Enter")


def test_the_profile_is_edited_in_place_and_theme_and_language_in_the_settings(page_with_own_post):
    page_with_own_post.goto("/@alice")
    edit = page_with_own_post.get_by_role("link", name="Edit profile")
    steps.tab_to(page_with_own_post, edit)
    page_with_own_post.keyboard.press("Enter")
    expect(page_with_own_post.get_by_role("heading", name="Edit profile")).to_be_focused()
    steps.tab_to(page_with_own_post, page_with_own_post.get_by_label("Display name"))
    page_with_own_post.keyboard.press("Control+a")
    page_with_own_post.keyboard.type("Alice Neu")
    save(page_with_own_post)
    expect(page_with_own_post.get_by_role("heading", name="Alice Neu", level=2)).to_be_visible()
    steps.expect_focus(edit)

    page_with_own_post.keyboard.press("Enter")
    steps.tab_to(page_with_own_post, page_with_own_post.get_by_role("link", name="Cancel"))
    page_with_own_post.keyboard.press("Enter")
    steps.expect_focus(edit)

    page_with_own_post.goto("/")
    steps.tab_to(
        page_with_own_post,
        page_with_own_post.get_by_role("navigation", name="Main").get_by_role(
            "link", name="Settings"
        ),
    )
    page_with_own_post.keyboard.press("Enter")
    expect(steps.title(page_with_own_post)).to_have_text("Settings")
    steps.tab_to(
        page_with_own_post,
        page_with_own_post.get_by_role("main").get_by_role("link", name="Appearance"),
    )
    page_with_own_post.keyboard.press("Enter")
    expect(page_with_own_post.get_by_label("Language")).to_be_visible()

    now = page_with_own_post.get_by_role("radio", name="Same as my device")
    steps.tab_to(
        page_with_own_post, now, ring=page_with_own_post.locator(".theme-card").filter(has=now)
    )
    page_with_own_post.keyboard.press("ArrowRight")
    page_with_own_post.keyboard.press("ArrowRight")
    dark = page_with_own_post.get_by_role("radio", name="Dark")
    expect(dark).to_be_checked()
    steps.expect_focus(dark, ring=page_with_own_post.locator(".theme-card").filter(has=dark))
    save(page_with_own_post)
    expect(page_with_own_post.locator("html")).to_have_attribute("data-theme", "dark")

    expect(steps.toast(page_with_own_post)).to_contain_text("saved")
    language = page_with_own_post.get_by_label("Language")
    steps.tab_to(page_with_own_post, language)
    steps.choose(page_with_own_post, language, "Deutsch")
    save(page_with_own_post)
    expect(page_with_own_post.locator("html")).to_have_attribute("lang", "de")


@pytest.fixture
def page_of_bob(signed_in, alice, bob) -> Page:
    for text in ("First", "Second", "Third"):
        post(bob, text)
    page = signed_in(alice)
    page.goto("/@bob")
    return page


# Single keys do the common things, unless one is writing or has turned them off.


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def like(page: Page) -> None:
    with page.expect_response("**/like"):
        press(page, "l")


def test_j_and_k_walk_through_the_posts_l_likes_o_and_enter_open_and_r_answers(
    page_of_bob, visitor, bob
):
    third = steps.card(page_of_bob, "Third")
    press(page_of_bob, "j")
    steps.expect_focus(third)
    for on in (True, False):
        like(page_of_bob)
        steps.expect_state(steps.heart(third), on=on)
        expect(third).to_be_focused()

    press(page_of_bob, "j", "j")
    expect(steps.card(page_of_bob, "First")).to_be_focused()
    press(page_of_bob, "j", "k")
    expect(steps.card(page_of_bob, "Second")).to_be_focused()
    press(page_of_bob, "g", "j")  # a second key that leads nowhere is a key of its own
    expect(steps.card(page_of_bob, "First")).to_be_focused()

    page_of_bob.goto("/@bob")
    press(page_of_bob, "j", "o")
    expect(steps.title(page_of_bob)).to_have_text("Post")
    expect(page_of_bob.get_by_text("Third")).to_be_visible()
    like(page_of_bob)
    steps.expect_state(steps.heart(steps.posts(page_of_bob)), on=True)
    press(page_of_bob, "r")
    expect(page_of_bob.get_by_label("Reply to @bob")).to_be_focused()

    page_of_bob.goto("/@bob")
    press(page_of_bob, "j", "r")
    expect(page_of_bob.get_by_label("Reply to @bob"), "r answers in the list, too").to_be_focused()

    post(bob, "For @alice")
    page_of_bob.goto("/@bob")
    steps.card(page_of_bob, "For @alice").get_by_role("link", name="@alice").focus()
    press(page_of_bob, "Enter")
    expect(steps.title(page_of_bob), "a link inside goes its own way").to_have_text("Alice Archer")
    page_of_bob.goto("/@bob")
    press(page_of_bob, "j", "Enter")
    expect(steps.title(page_of_bob)).to_have_text("Post")

    page_of_bob = visitor()
    page_of_bob.goto("/@bob")
    press(page_of_bob, "j", "l", "o")
    expect(steps.title(page_of_bob), "a visitor reads with keys, too").to_have_text("Post")


def test_the_post_with_the_focus_is_seen_and_the_last_leads_to_older_posts(signed_in, alice):
    for number in range(22):
        post(alice, f"Number {number:02}\n" * 4)
    page = signed_in(alice, viewport={"width": 390, "height": 600})
    page.goto("/settings/appearance")
    page.get_by_label("Load older posts as I scroll").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("saved")
    page.goto("/@alice")
    steps.card(page, "Number 12").evaluate("(row) => row.scrollIntoView()")
    press(page, "j")
    expect(steps.card(page, "Number 12"), "j starts where one has scrolled to").to_be_focused()

    for key in "jjjjjjjkkkk":
        press(page, key)
        top, bottom = page.evaluate(
            "(({ top, bottom }) => [top, bottom])(document.activeElement.getBoundingClientRect())"
        )
        assert top >= page.locator(".topbar").bounding_box()["height"]
        assert bottom <= page.locator(".nav").bounding_box()["y"]

    expect(steps.card(page, "Number 09")).to_be_focused()
    press(page, *"jjjjjjjj")
    expect(page.get_by_role("link", name="Older posts")).to_be_focused()


def test_keys_begin_a_post_search_go_to_pages_open_the_help_and_do_nothing_where_they_mean_else(
    page_of_bob, axe
):
    press(page_of_bob, "n")
    expect(page_of_bob.get_by_role("dialog", name="New post")).to_be_visible()
    expect(steps.composer(page_of_bob)).to_be_focused()
    page_of_bob.goto("/local")
    for key, path in (("p", "/@alice"), ("e", "/explore"), ("l", "/local"), ("h", "/")):
        press(page_of_bob, "g", key)
        steps.same_place(page_of_bob, path)
        expect(steps.title(page_of_bob)).to_be_visible()
    press(page_of_bob, "n")
    expect(steps.composer(page_of_bob), "without a dialog where the form is").to_be_focused()
    expect(steps.composer(page_of_bob)).to_have_value("")

    page_of_bob.goto("/@bob")
    press(page_of_bob, "/")
    field = page_of_bob.get_by_label("Search people")
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    page_of_bob.set_viewport_size(PHONE)
    page_of_bob.goto("/@bob")
    press(page_of_bob, "/")
    expect(steps.title(page_of_bob), "to the page of search where no field is seen").to_have_text(
        "Search"
    )
    expect(field).to_be_focused()

    page_of_bob.set_viewport_size(DESKTOP)
    page_of_bob.goto("/@bob")
    heart = steps.heart(steps.card(page_of_bob, "Third"))
    steps.tab_to(page_of_bob, heart)
    press(page_of_bob, "?")
    sheet = page_of_bob.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet.get_by_role("row", name="j Next post")).to_be_visible()
    steps.expect_focus(sheet.get_by_role("button", name="Close"))
    assert axe(page_of_bob) == []

    sheet.get_by_role("heading").click()
    press(page_of_bob, "j", "g", "h")
    expect(sheet, "keys do nothing while it is open").to_be_visible()
    press(page_of_bob, "Escape")
    expect(page_of_bob.get_by_role("dialog")).to_have_count(0)
    steps.same_place(page_of_bob, "/@bob")
    steps.expect_focus(heart)

    press(page_of_bob, "?")
    expect(sheet.get_by_role("button", name="Close")).to_be_focused()
    press(page_of_bob, "Enter")
    expect(page_of_bob.get_by_role("dialog")).to_have_count(0)
    steps.expect_focus(heart)

    page_of_bob.goto("/@bob")
    press(page_of_bob, "?")
    expect(page_of_bob.get_by_role("dialog")).to_be_visible()  # the script has come
    press(page_of_bob, "Escape")
    expect(page_of_bob.locator("#modal button")).to_have_count(0)  # nor the focus in it
    for modifier in ("Control", "Alt", "Meta"):
        press(page_of_bob, f"{modifier}+j", f"{modifier}+k", f"{modifier}+o")
    assert steps.is_focused(page_of_bob).startswith("BODY")
    steps.same_place(page_of_bob, "/@bob")

    page_of_bob.locator(".account summary").press("Enter")
    press(page_of_bob, "Tab", "j")
    expect(page_of_bob.get_by_role("link", name="View profile"), "in an open menu").to_be_focused()

    page_of_bob.goto("/")
    steps.composer(page_of_bob).click()
    page_of_bob.keyboard.type("jkolng/?gh")
    expect(steps.composer(page_of_bob)).to_have_value("jkolng/?gh")
    steps.same_place(page_of_bob, "/")
    expect(page_of_bob.get_by_role("dialog")).to_have_count(0)

    page_of_bob.goto("/@bob")
    page_of_bob.evaluate('document.body.dataset.shortcuts = "off"')
    press(page_of_bob, "j", "?", "n", "g", "h")
    assert steps.is_focused(page_of_bob).startswith("BODY")
    steps.same_place(page_of_bob, "/@bob")
    expect(page_of_bob.get_by_role("dialog")).to_have_count(0)

"""Saving posts to read later, with and without scripts, on phone and desktop."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.services.delete_post import delete_post
from feed.services.folders import create_folder
from feed.services.save_post import save_post
from tests.browser import steps
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import post
from tests.feed.saving import folder_names, saved_ids

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

both = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no-scripts"])
sizes = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
SAVED = "Saved. Only you can see it."
REMOVED = "Removed from your saved posts."


def row(page: Page, text: str) -> Locator:
    return page.locator(".saved").filter(has_text=text)


def open_dialog(page: Page, text: str) -> Locator:
    """The form, in the dialog, or without scripts on its page."""
    steps.open_menu(steps.card(page, text))
    steps.card(page, text).get_by_role("link", name="Save…").click()
    form = page.locator("form.save")
    expect(form).to_be_visible()
    return form


@both
@sizes
def test_a_post_from_saving_to_removing(signed_in, alice, bob, scripts, size, watch):
    watch.expect("422")
    post_id = post(bob, "Read me")
    page = signed_in(alice, java_script_enabled=scripts, viewport=size)
    page.goto("/@bob")
    form = open_dialog(page, "Read me")
    form.get_by_label("New folder").fill("x" * 31)
    form.get_by_label("Private note").fill("For Sunday")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#save_new_folder_error")).to_contain_text("30 characters")
    expect(page.get_by_label("Private note")).to_have_value("For Sunday")
    page.get_by_label("New folder").fill("Recipes")
    page.locator("form.save").get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text(SAVED)
    steps.same_place(page, "/@bob")
    expect(page.get_by_role("dialog")).to_have_count(0)

    page.locator(".account summary").click()
    page.locator(".account").get_by_role("link", name="Saved", exact=True).click()
    page.locator(".chips-row").get_by_role("link", name="Recipes").click()
    expect(row(page, "Read me")).to_contain_text("For Sunday")
    row(page, "Read me").get_by_role("link", name="Edit").click()
    expect(page.locator("form.save h2")).to_have_text("Saved post")
    page.get_by_label("Folder", exact=True).select_option("No folder")
    page.get_by_label("Private note").fill("For Monday")
    page.locator("form.save").get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text(SAVED)
    page.goto("/saved")
    expect(row(page, "Read me")).to_contain_text("For Monday")
    expect(row(page, "Read me").locator(".chip")).to_have_count(0)

    row(page, "Read me").get_by_role("button", name="Remove").click()
    expect(page.get_by_text(REMOVED)).to_be_visible()
    expect(steps.posts(page)).to_have_count(0)
    assert saved_ids(alice) == []
    page.goto(f"/@bob/posts/{post_id}")
    expect(steps.posts(page)).to_have_count(1)


def test_the_dialog_gives_the_focus_back_and_shows_what_is_saved(signed_in, alice, bob):
    post_id = post(bob, "Read me")
    page = signed_in(alice)
    page.goto("/@bob")
    form = open_dialog(page, "Read me")
    expect(form.get_by_role("button", name="Remove")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(steps.card(page, "Read me").locator("summary")).to_be_focused()
    open_dialog(page, "Read me").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(steps.card(page, "Read me").locator("summary")).to_be_focused()
    assert saved_ids(alice) == [post_id]
    open_dialog(page, "Read me").get_by_role("button", name="Remove").click()
    expect(steps.toast(page)).to_contain_text(REMOVED)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert saved_ids(alice) == []


def test_removing_a_row_can_be_undone_where_it_was(signed_in, alice, bob):
    recipes = create_folder(by=alice, name="Recipes")
    for text in ("First", "Second"):
        post_id = post(bob, text)
        save_post(
            by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes, note=f"{text} note"
        )
    page = signed_in(alice)
    page.goto("/saved")
    row(page, "Second").get_by_role("button", name="Remove").click()
    placeholder = page.locator(f"#saved-{post_id}")
    expect(placeholder).to_be_focused()
    expect(placeholder).to_contain_text(REMOVED)
    placeholder.get_by_role("button", name="Undo").click()
    expect(row(page, "Second note")).to_be_focused()
    expect(row(page, "Second note").locator(".chip")).to_have_text("Recipes")
    expect(page.locator(".saved").first).to_contain_text("Second")
    assert saved_ids(alice, recipes)[-1] == post_id


def test_a_row_changes_where_it_is_and_leads_back_to_the_page(signed_in, alice, bob):
    post_id = post(bob, "Read me")
    save_post(by=alice, post_id=post_id, author_id=bob.user_id)
    page = signed_in(alice)
    page.goto("/saved")
    row(page, "Read me").get_by_role("link", name="Edit").click()
    page.get_by_label("Private note").fill("Soup")
    page.locator("form.save").get_by_role("button", name="Save").click()
    expect(row(page, "Read me")).to_contain_text("Soup")
    expect(row(page, "Read me")).to_be_focused()
    steps.same_place(page, "/saved")
    mute = row(page, "Read me").locator("a", has_text="Mute")
    expect(mute).to_have_attribute("href", re.compile(r"next=%2Fsaved$"))
    steps.open_menu(steps.card(page, "Read me"))
    steps.card(page, "Read me").get_by_role("link", name="Save…").click()
    page.locator("form.save").get_by_role("button", name="Remove").click()
    expect(page.locator(f"#saved-{post_id}")).to_contain_text(REMOVED)


@both
@sizes
def test_a_folder_is_renamed_and_deleted(signed_in, alice, bob, scripts, size, watch):
    watch.expect("422")
    recipes = create_folder(by=alice, name="Recipes")
    create_folder(by=alice, name="Books")
    save_post(by=alice, post_id=post(bob, "Read me"), author_id=bob.user_id, folder_id=recipes)
    page = signed_in(alice, java_script_enabled=scripts, viewport=size)
    page.goto(f"/saved?folder={recipes}")
    page.get_by_role("link", name="Rename Recipes").click()
    page.locator("form.confirm").get_by_label("Name").fill("books")
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(".field-error")).to_have_text("You already have a folder with this name.")
    page.locator("form.confirm").get_by_label("Name").fill("Kitchen")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="Kitchen")).to_be_visible()
    expect(steps.toast(page)).to_contain_text("Folder renamed.")
    page.get_by_role("link", name="Delete Kitchen").click()
    page.get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("Folder deleted.")
    expect(row(page, "Read me")).to_be_visible()
    assert list(folder_names(alice).values()) == ["Books"]


@both
def test_a_search_finds_and_ends(signed_in, alice, bob, scripts):
    for text in ("Soup", "Cake"):
        save_post(by=alice, post_id=post(bob, text), author_id=bob.user_id)
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/saved")
    box = page.get_by_label("Search saved posts and notes")
    box.fill("soup")
    box.press("Enter")
    expect(page.locator(".saved")).to_have_count(1)
    page.get_by_role("link", name="End search").click()
    expect(page.locator(".saved")).to_have_count(2)


def test_more_saved_posts_come_when_one_scrolls(signed_in, alice, bob):
    for number in range(25):
        save_post(by=alice, post_id=post(bob, f"Nr. {number}."), author_id=bob.user_id)
    page = signed_in(alice)
    page.goto("/saved")
    steps.scroll_to_end(page)
    expect(page.locator(".saved")).to_have_count(25)


@sizes
def test_the_pages_break_no_rule_of_accessibility(signed_in, alice, bob, axe, size):
    recipes = create_folder(by=alice, name="Recipes")
    for number, text in enumerate(("Gone", "בוקר טוב", "Read me")):
        post_id = post(bob, text)
        folder = recipes if number else ""
        save_post(
            by=alice, post_id=post_id, author_id=bob.user_id, folder_id=folder, note=f"Note {text}"
        )
        if text == "Gone":
            delete_post(by=bob, post_id=post_id)
    page = signed_in(alice, viewport=size)

    def check() -> None:
        expect(page.locator(".htmx-request")).to_have_count(0)
        for scheme, rules in (("light", ()), ("dark", ("color-contrast", "link-in-text-block"))):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert axe(page, *rules) == []
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= size["width"]

    for address in (
        "/saved",
        f"/saved?folder={recipes}",
        "/saved?q=note",
        "/saved?q=nothing",
        f"/@bob/posts/{post_id}/save",
        f"/saved/folder/rename?folder={recipes}",
        f"/saved/folder/delete?folder={recipes}",
    ):
        page.goto(address)
        check()
    page.goto(f"/saved?folder={recipes}")
    row(page, "Read me").get_by_role("link", name="Edit").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    check()
    page.keyboard.press("Escape")
    row(page, "Read me").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    check()

"""Saving posts to read later: in dialogs that give the focus back, and rows that change where they are."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from feed.publishing.writes import delete_post
from feed.saved.writes import create_folder, save_post
from tests.browser import steps
from tests.browser.screens import SIZES
from tests.conftest import post
from tests.feed.saving import folder_names, saved_ids

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")

SAVED = "Saved. Only you can see it."
REMOVED = "Removed from your saved posts."


def row(page: Page, text: str) -> Locator:
    return page.locator(".saved").filter(has_text=text)


def open_dialog(page: Page, text: str) -> Locator:
    """Of a post that is saved."""
    steps.open_menu(steps.card(page, text))
    steps.card(page, text).locator(".menu-list").get_by_text(
        re.compile("^(Save|Folder and note…)$")
    ).click()
    form = page.get_by_role("dialog").locator("form.save")
    expect(form).to_be_visible()
    return form


@pytest.mark.parametrize("size", SIZES)
def test_a_post_from_saving_to_removing(signed_in, alice, bob, size, watch):
    watch.expect("422")
    post_id = post(bob, "Read me")
    page = signed_in(alice, viewport=size)
    page.goto("/@bob")
    menu = steps.card(page, "Read me").locator("summary")
    steps.open_menu(steps.card(page, "Read me"))
    steps.card(page, "Read me").get_by_role("button", name="Save", exact=True).click()
    expect(steps.toast(page)).to_contain_text(SAVED)
    assert saved_ids(alice) == [post_id]
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    open_dialog(page, "Read me")
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()

    form = open_dialog(page, "Read me")
    form.get_by_label("New folder").fill("x" * 31)
    form.get_by_label("Private note").fill("For Sunday")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#save_new_folder_error")).to_contain_text("30 characters")
    expect(form.get_by_label("Private note")).to_have_value("For Sunday")
    form.get_by_label("New folder").fill("Recipes")
    form.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text(SAVED)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(menu).to_be_focused()
    steps.same_place(page, "/@bob")

    page.locator(".account summary").click()  # of a phone; elsewhere it stands beside the page
    page.locator(".rail").get_by_role("link", name="Saved", exact=True).click()
    page.locator(".chips-row").get_by_role("link", name="Recipes").click()
    expect(row(page, "Read me")).to_contain_text("For Sunday")
    assert saved_ids(alice) == [post_id]

    page.goto("/@bob")
    open_dialog(page, "Read me").get_by_role("button", name="Remove").click()
    expect(steps.toast(page)).to_contain_text(REMOVED)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert saved_ids(alice) == []


def test_a_row_is_changed_and_removed_where_it_is(signed_in, alice, bob):
    recipes = create_folder(by=alice, name="Recipes")
    for text in ("First", "Second"):
        post_id = post(bob, text)
        save_post(by=alice, post_id=post_id, author_id=bob.user_id, folder_id=recipes)
    page = signed_in(alice)
    page.goto("/saved")
    row(page, "Second").get_by_role("link", name="Edit").click()
    form = page.locator("form.save")
    expect(form.locator("h2")).to_have_text("Saved post")
    form.get_by_label("Folder", exact=True).select_option("No folder")
    form.get_by_label("Private note").fill("Soup")
    form.get_by_role("button", name="Save").click()
    expect(row(page, "Second")).to_contain_text("Soup")
    expect(row(page, "Second").locator(".chip")).to_have_count(0)
    expect(row(page, "Second")).to_be_focused()
    steps.same_place(page, "/saved")
    # The changed row leads back to the page that it stands on.
    mute = row(page, "Second").locator("a", has_text="Mute")
    expect(mute).to_have_attribute("href", re.compile(r"next=%2Fsaved$"))

    row(page, "Second").get_by_role("button", name="Remove").click()
    placeholder = page.locator(f"#saved-{post_id}")
    expect(placeholder).to_contain_text(REMOVED)
    expect(placeholder).to_be_focused()
    placeholder.get_by_role("button", name="Undo").click()
    expect(row(page, "Second")).to_contain_text("Soup")
    expect(row(page, "Second")).to_be_focused()
    expect(page.locator(".saved").first).to_contain_text("Second")

    open_dialog(page, "Second").get_by_role("button", name="Remove").click()
    expect(placeholder).to_contain_text(REMOVED)
    assert post_id not in saved_ids(alice)


@pytest.mark.parametrize("size", SIZES)
def test_a_folder_is_renamed_and_deleted_in_dialogs(signed_in, alice, bob, size):
    recipes = create_folder(by=alice, name="Recipes")
    create_folder(by=alice, name="Books")
    save_post(by=alice, post_id=post(bob, "Read me"), author_id=bob.user_id, folder_id=recipes)
    page = signed_in(alice, viewport=size)
    page.goto(f"/saved?folder={recipes}")
    page.get_by_role("link", name="Rename Recipes").click()
    form = page.get_by_role("dialog").locator("form.confirm")
    form.get_by_label("Name").fill("Kitchen")
    form.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="Kitchen")).to_be_visible()
    expect(steps.toast(page)).to_contain_text("Folder renamed.")
    page.get_by_role("link", name="Delete Kitchen").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(steps.toast(page)).to_contain_text("Folder deleted.")
    expect(row(page, "Read me")).to_be_visible()
    assert list(folder_names(alice).values()) == ["Books"]


def test_the_pages_and_dialogs_break_no_rule_of_accessibility(signed_in, alice, bob, look):
    recipes = create_folder(by=alice, name="Recipes")
    for number, text in enumerate(("Gone", "בוקר טוב", "Read me")):
        post_id, folder = post(bob, text), recipes if number else ""
        where = {"post_id": post_id, "author_id": bob.user_id, "folder_id": folder}
        save_post(by=alice, **where, note=f"Note {text}")
        if text == "Gone":
            delete_post(by=bob, post_id=post_id)
    page = signed_in(alice)
    problems = []
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
        problems += look(page)
    page.goto(f"/saved?folder={recipes}")
    row(page, "Read me").get_by_role("link", name="Edit").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    problems += look(page)
    page.keyboard.press("Escape")
    row(page, "Read me").get_by_role("button", name="Remove").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    problems += look(page)
    assert problems == []

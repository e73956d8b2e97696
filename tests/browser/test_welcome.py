"""First steps after signing up, and the profile edited in place."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.accounts.pictures import encode, halves
from tests.browser import steps
from tests.conftest import post

PICTURE = {"name": "me.png", "mimeType": "image/png", "buffer": encode(halves(), "PNG")}


@pytest.fixture
def authors(alice, bob, carol, drain_stream) -> None:
    for author in (alice, bob, carol):
        post(author, f"I am {author.name}")
    drain_stream()


def test_a_newcomer_takes_the_three_steps(authors, visitor: Callable[..., Page]):
    page = visitor()
    steps.sign_up(page, "dora", "Dora Díaz")
    expect(steps.title(page)).to_have_text("First steps")
    expect(page.get_by_role("heading", name="Good to have you, Dora Díaz")).to_be_visible()

    # From here on by the keyboard alone, but for the dialog in which one chooses a file.
    page.get_by_label("Picture", exact=True).set_input_files(PICTURE)
    steps.tab_to(page, page.get_by_label("About you"))
    page.keyboard.type("Walks far.")
    steps.tab_to(page, page.get_by_role("button", name="Save"))
    page.keyboard.press("Enter")
    expect(steps.toast(page)).to_contain_text("Profile saved.")
    expect(page.locator(".avatar-field img")).to_be_visible()

    progress = page.locator("#welcome-progress")
    expect(progress).to_have_text("0 of 3")
    for number, name in enumerate(["Alice Archer", "Bob Brandt", "Carol 陈"], 1):
        button = page.get_by_role("main").get_by_role("button", name=name)
        steps.tab_to(page, button)
        page.keyboard.press("Enter")
        expect(progress).to_contain_text(f"{number} of 3" if number < 3 else "Done.")
        steps.expect_focus(button)
    steps.same_place(page, "/welcome")
    steps.tab_to(page, page.get_by_role("link", name="Go to your timeline"))
    page.keyboard.press("Enter")
    expect(steps.title(page)).to_have_text("Home")


def edit(page: Page) -> None:
    page.get_by_role("link", name="Edit profile").click()


def test_the_profile_is_edited_in_place_with_a_picture_and_what_is_refused_keeps_what_was_typed(
    alice, signed_in, axe, watch
):
    page = signed_in(alice)
    page.goto("/@alice")
    edit(page)
    expect(page.get_by_role("heading", name="Edit profile")).to_be_focused()
    assert axe(page) == []
    # Cancelling leaves it as it was.
    page.get_by_label("Display name").fill("Somebody else")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("link", name="Edit profile")).to_be_focused()
    expect(page.get_by_role("heading", name="Alice Archer", level=2)).to_be_visible()
    steps.same_place(page, "/@alice")

    edit(page)
    page.get_by_label("Display name").fill("Alice Neu")
    page.get_by_label("Location").fill("Leipzig")
    page.get_by_label("Picture", exact=True).set_input_files(PICTURE)
    expect(page.locator(".avatar-field img")).to_have_attribute("src", re.compile("^blob:"))
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Profile saved.")
    expect(page.get_by_role("heading", name="Alice Neu", level=2)).to_be_visible()
    expect(steps.title(page)).to_have_text("Alice Neu")
    expect(page.locator(".profile img.avatar")).to_be_visible()
    expect(page.get_by_role("link", name="Edit profile")).to_be_focused()
    steps.same_place(page, "/@alice")
    assert axe(page) == []

    watch.expect("422")
    page.goto("/settings/profile")
    page.get_by_label("About you").fill("Kept")
    file = {"name": "me.png", "mimeType": "image/png", "buffer": b"<svg onload=alert(1)>"}
    page.get_by_label("Picture", exact=True).set_input_files(file)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_text("We couldn’t use that picture.")).to_be_visible()
    expect(page.get_by_label("About you")).to_have_value("Kept")

    # In place it is the same.
    page.goto("/@alice")
    edit(page)
    page.get_by_label("Display name").fill("")
    page.get_by_label("About you").fill("Half a thought")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("About you")).to_have_value("Half a thought")
    page.get_by_label("Display name").fill("Alice Neu")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Half a thought")).to_be_visible()
    steps.same_place(page, "/@alice")

"""First steps after signing up, and the profile edited in place: with scripts and without."""

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


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_newcomer_takes_the_three_steps(authors, visitor: Callable[..., Page], scripts):
    page = visitor(java_script_enabled=scripts)
    steps.sign_up(page, "dora", "Dora Díaz")
    expect(steps.title(page)).to_have_text("First steps")
    expect(page.get_by_role("heading", name="Good to have you, Dora Díaz")).to_be_visible()

    page.get_by_label("Picture", exact=True).set_input_files(PICTURE)
    page.get_by_label("About you").fill("Walks far.")
    page.get_by_role("button", name="Save").click()
    expect(steps.toast(page)).to_contain_text("Profile saved.")
    expect(page.locator(".avatar-field img")).to_be_visible()

    progress = page.locator("#welcome-progress")
    expect(progress).to_have_text("0 of 3")
    for number, name in enumerate(["Alice Archer", "Bob Brandt", "Carol 陈"], 1):
        page.get_by_role("main").get_by_role("button", name=f"Follow {name}").click()
        expect(progress).to_contain_text(f"{number} of 3" if number < 3 else "Done.")
    steps.same_place(page, "/welcome")

    page.get_by_role("link", name="Go to your timeline").click()
    expect(steps.title(page)).to_have_text("Home")


def test_all_steps_can_be_skipped(visitor, table):
    page = visitor()
    steps.sign_up(page, "dora", "Dora Díaz")
    page.get_by_role("link", name="Go to your timeline").click()
    expect(page.get_by_text("It’s quiet here so far.")).to_be_visible()


def test_a_refused_picture_is_said_and_the_words_stay(alice, signed_in, watch):
    watch.expect("422")
    page = signed_in(alice)
    page.goto("/welcome")
    page.get_by_label("About you").fill("Kept")
    file = {"name": "me.png", "mimeType": "image/png", "buffer": b"no picture"}
    page.get_by_label("Picture", exact=True).set_input_files(file)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("About you")).to_have_value("Kept")


def edit(page: Page) -> None:
    page.get_by_role("link", name="Edit profile").click()


def test_the_profile_is_edited_in_place_with_a_picture(alice, signed_in, axe):
    page = signed_in(alice)
    page.goto("/@alice")
    edit(page)
    expect(page.get_by_role("heading", name="Edit profile")).to_be_focused()
    assert axe(page) == []
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


def test_cancelling_leaves_the_profile_as_it_was(alice, signed_in):
    page = signed_in(alice)
    page.goto("/@alice")
    edit(page)
    page.get_by_label("Display name").fill("Somebody else")
    page.get_by_role("link", name="Cancel").click()
    expect(page.get_by_role("link", name="Edit profile")).to_be_focused()
    expect(page.get_by_role("heading", name="Alice Archer", level=2)).to_be_visible()
    steps.same_place(page, "/@alice")


def test_what_is_refused_in_place_keeps_what_was_typed(alice, signed_in, watch):
    watch.expect("422")
    page = signed_in(alice)
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


def test_without_javascript_the_form_is_a_page(alice, signed_in):
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/@alice")
    edit(page)
    steps.same_place(page, "/settings/profile")
    page.get_by_label("Display name").fill("Alice Neu")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Alice Neu", level=2)).to_be_visible()
    steps.same_place(page, "/@alice")

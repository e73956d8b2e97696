"""Without JavaScript people can sign up, sign in and out, follow, and edit their profile."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from relations.services.follow import follow
from tests.accounts.pictures import encode, halves
from tests.browser import steps
from tests.conftest import person, post


@pytest.fixture
def plain(visitor) -> Page:
    return visitor(java_script_enabled=False)


@pytest.fixture
def plain_signed_in(signed_in) -> Callable[..., Page]:
    return lambda viewer: signed_in(viewer, java_script_enabled=False)


def test_a_visitor_signs_up_signs_out_and_signs_in(plain):
    steps.sign_up(plain, "dora", "Dora Díaz")
    expect(steps.toast(plain)).to_contain_text("Welcome, Dora Díaz!")

    steps.sign_out(plain)
    expect(steps.sign_up_link(plain)).to_be_visible()

    steps.sign_in(plain, "dora")
    expect(steps.title(plain)).to_have_text("Home")


def test_a_refused_sign_up_says_why_and_keeps_what_was_typed(plain, bob, watch):
    watch.expect("422")
    steps.sign_up(plain, "bob", "Another Bob")

    expect(plain.get_by_role("alert")).to_contain_text("This handle is taken.")
    expect(plain.get_by_label("Display name")).to_have_value("Another Bob")
    expect(plain.get_by_label("Password")).to_have_value("")


def test_one_follows_and_unfollows(plain_signed_in, alice, bob):
    page = plain_signed_in(alice)
    page.goto("/@bob")
    page.get_by_role("button", name="Follow Bob").click()

    expect(page.get_by_role("link", name="1 follower")).to_be_visible()
    page.get_by_role("button", name="Bob Brandt").click()
    expect(page.get_by_role("link", name="0 followers")).to_be_visible()
    steps.same_place(page, "/@bob")


def test_followers_go_on_over_a_link_and_back(plain_signed_in, alice):
    for number in range(22):
        follow(by=person(f"fan{number:02}"), user_id=alice.user_id)
    page = plain_signed_in(alice)
    page.goto("/@alice/followers")
    people = page.locator("article.person")
    expect(people).to_have_count(20)

    page.get_by_role("link", name="More people").click()
    expect(people).to_have_count(2)
    page.get_by_role("link", name="Previous page").click()
    expect(people).to_have_count(20)


def test_a_profile_is_edited_with_a_picture(plain_signed_in, alice):
    post(alice, "My post")
    page = plain_signed_in(alice)
    page.goto("/settings/profile")
    page.get_by_label("Display name").fill("Alice Neu")
    page.get_by_label("About you").fill("Walks @bob's dog.")
    page.get_by_label("Location").fill("Leipzig")
    picture = {
        "name": "me.png",
        "mimeType": "image/png",
        "buffer": encode(halves(), "PNG"),
    }
    page.get_by_label("Picture", exact=True).set_input_files(picture)
    page.get_by_role("button", name="Save").click()

    expect(steps.toast(page)).to_contain_text("Profile saved.")
    expect(page.get_by_role("heading", name="Alice Neu", level=2)).to_be_visible()
    expect(page.get_by_text("Leipzig")).to_be_visible()
    expect(page.locator(".profile img.avatar")).to_be_visible()
    expect(steps.card(page, "My post").locator("img.avatar")).to_be_visible()

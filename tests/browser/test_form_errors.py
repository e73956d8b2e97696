"""A refused form says what is wrong, takes the focus there, and keeps what was typed."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import steps


@pytest.fixture(autouse=True)
def _refusals_are_meant(watch):
    watch.expect("422")


def test_sign_up_names_every_mistake_and_leads_to_its_field(strict):
    page = strict
    page.goto("/signup")
    page.get_by_label("Handle").fill("a b")
    page.get_by_label("Display name").fill("Dora Díaz")
    page.get_by_label("Password").fill("short")
    with page.expect_response("**/signup") as answer:
        page.get_by_role("button", name="Sign up").click()
    assert answer.value.status == 422

    summary = page.get_by_role("alert")
    expect(summary).to_be_focused()
    expect(summary.get_by_role("listitem")).to_have_count(3)
    expect(page.get_by_label("Handle")).to_have_value("a b")
    expect(page.get_by_label("Display name")).to_have_value("Dora Díaz")
    expect(page.get_by_label("Handle")).to_have_accessible_description(
        re.compile("People find you as @handle.*Use 3 to 30 characters")
    )

    summary.get_by_role("link", name="Password").click()
    expect(page.get_by_label("Password")).to_be_focused()


def test_sign_in_does_not_say_which_part_was_wrong(strict, alice):
    steps.sign_in(strict, "alice", "not her password")

    expect(strict.get_by_role("alert")).to_contain_text(
        "That account and password don’t match. Check both and try again."
    )
    expect(strict.get_by_role("alert")).to_be_focused()
    expect(strict.get_by_label("Handle or email")).to_have_value("alice")
    expect(strict.get_by_label("Password")).to_have_value("")


def test_the_profile_keeps_what_was_typed(signed_in, alice):
    page = signed_in(alice)
    page.goto("/settings/profile")
    page.get_by_label("Display name").fill("")
    page.get_by_label("About you").fill("Half a thought")
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_label("About you")).to_have_value("Half a thought")


def test_a_refused_post_stays_in_the_composer_where_it_was(signed_in, alice):
    page = signed_in(alice)
    page.goto("/")
    steps.write(page, "x" * 1020)

    expect(page.get_by_role("alert")).to_contain_text("Use up to 1000 characters (this has 1020).")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(steps.composer(page)).to_have_value("x" * 1020)
    steps.same_place(page, "/")

    steps.write(page, "short enough")
    expect(steps.posts(page).first).to_contain_text("short enough")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_post_is_disabled_while_there_is_nothing_to_post(signed_in, alice):
    page = signed_in(alice)
    page.goto("/")
    button = page.get_by_role("button", name="Post", exact=True)
    expect(button).to_be_disabled()
    steps.composer(page).fill("   ")
    expect(button).to_be_disabled()
    steps.composer(page).fill("Something")
    expect(button).to_be_enabled()
    page.reload()
    expect(button).to_be_enabled()

    button.click()
    expect(steps.posts(page)).to_have_count(1)
    expect(button).to_be_disabled()
    expect(steps.posts(page)).to_be_focused()


def test_an_empty_post_is_refused_with_a_sentence_where_scripts_are_off(signed_in, alice, watch):
    watch.expect("422")
    page = signed_in(alice, java_script_enabled=False)
    page.goto("/")
    steps.write(page, "   ")

    expect(page.get_by_role("alert")).to_have_text("Write something first.")

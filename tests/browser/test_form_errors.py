"""A refused form says what is wrong, takes the focus there, and keeps what was typed."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser import steps


@pytest.fixture(autouse=True)
def _refusals_are_meant(watch):
    watch.expect("422")


def test_sign_up_leads_to_every_mistake_and_a_post_that_is_refused_stays_where_it_was(
    strict, signed_in, alice
):
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
    expect(summary.get_by_role("listitem")).to_have_text(["Handle", "Email", "Password"])
    expect(page.get_by_text("3 to 30 characters")).to_have_count(
        1
    )  # not again above it, nor as help
    expect(page.get_by_text("At least 12 characters")).to_have_count(1)
    expect(page.get_by_label("Handle")).to_have_value("a b")
    expect(page.get_by_label("Display name")).to_have_value("Dora Díaz")
    expect(page.get_by_label("Handle")).to_have_accessible_description(
        re.compile("Use 3 to 30 characters")
    )
    expect(page.get_by_label("Email")).to_have_accessible_description(
        re.compile("never show.*Fill this in")
    )

    summary.get_by_role("link", name="Password").click()
    expect(page.get_by_label("Password")).to_be_focused()

    page = signed_in(alice)
    page.goto("/")
    button = page.get_by_role("button", name="Post", exact=True)
    expect(button).to_be_disabled()
    steps.composer(page).fill("   ")
    expect(button).to_be_disabled()
    steps.write(page, "x" * 1020)
    expect(page.get_by_role("alert")).to_contain_text("Use up to 1000 characters (this has 1020).")
    expect(page.get_by_role("alert")).to_be_focused()
    expect(steps.composer(page)).to_have_value("x" * 1020)
    steps.same_place(page, "/")

    steps.composer(page).fill("short enough")
    page.reload()
    expect(button).to_be_enabled()
    button.click()
    expect(steps.posts(page)).to_have_count(1)
    expect(steps.posts(page)).to_contain_text("short enough")
    expect(steps.posts(page)).to_be_focused()
    expect(button).to_be_disabled()
    expect(page.get_by_role("alert")).to_have_count(0)

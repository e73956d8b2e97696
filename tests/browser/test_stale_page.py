"""A page that is out of date says so, or leads to the sign-in page; what was typed is never lost."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps


@pytest.fixture
def page(signed_in, alice) -> Page:
    page = signed_in(alice)
    page.goto("/")
    return page


def test_after_signing_in_anew_in_another_tab_nothing_that_was_typed_is_lost(page, watch):
    watch.expect("403")
    steps.composer(page).fill("Written for an hour")
    page.context.clear_cookies(name="csrf")
    page.get_by_role("button", name="Post", exact=True).click()

    expect(steps.toast(page)).to_contain_text("This page is out of date.")
    expect(steps.composer(page)).to_have_value("Written for an hour")
    steps.toast(page).get_by_role("link", name="Reload").click()
    expect(steps.toast(page)).to_have_text("")
    expect(steps.composer(page)).to_have_value("Written for an hour")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(steps.posts(page).first).to_contain_text("Written for an hour")

    # A form that is sent as a page gets a page that explains, and the text is kept there too.
    page.goto("/posts/new")
    page.context.clear_cookies(name="csrf")
    steps.write(page, "Also kept")
    expect(page.get_by_role("heading", name="This page was open for a long time")).to_be_visible()
    page.goto("/posts/new")
    expect(steps.composer(page)).to_have_value("Also kept")


def test_after_signing_out_in_another_tab_one_signs_in_and_finds_the_text_again(page):
    steps.composer(page).fill("Nearly done")
    other = page.context.new_page()
    other.goto("/local")
    steps.sign_out(other)
    expect(steps.sign_up_link(other)).to_be_visible()

    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()
    steps.sign_in(page, "alice")
    expect(steps.composer(page)).to_have_value("Nearly done")

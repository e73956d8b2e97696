"""On paper there is what was written and by whom, and nothing that one would press."""

import pytest
from playwright.sync_api import Page, expect

from accounts.profile.writes import edit_profile
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def expect_only_words(page: Page) -> None:
    for locator in (
        page.locator("nav, button, summary, .button, .icon-button"),
        page.get_by_role("complementary"),
        page.locator(".topbar, .toasts"),
    ):
        for element in locator.all():
            expect(element).to_be_hidden()
    colours = page.locator("main").evaluate(
        "(main) => [getComputedStyle(main).backgroundColor, getComputedStyle(main).color]"
    )
    assert colours == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


def test_a_profile_and_a_post_on_paper(signed_in, alice, bob):
    edit_profile(by=bob, name="Bob Brandt", bio="I mend bicycles", location="Leipzig")
    post_id = post(bob, "Worth keeping")
    page = signed_in(alice)
    page.emulate_media(media="print", color_scheme="dark")
    page.goto("/@bob")
    expect(page.get_by_role("heading", name="Bob Brandt")).to_be_visible()
    for text in ("I mend bicycles", "Leipzig", "Worth keeping"):
        expect(page.get_by_text(text)).to_be_visible()
    expect_only_words(page)

    page.goto(f"/@bob/posts/{post_id}")
    expect(page.get_by_text("Worth keeping")).to_be_visible()
    expect(page.locator(".post-author")).to_contain_text("Bob Brandt")
    expect(page.locator(".post-when")).to_be_visible()
    expect_only_words(page)

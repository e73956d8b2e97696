"""People are found, followed and met at the beginning with the keyboard alone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.conftest import post


@pytest.fixture
def page(alice, bob, carol, drain_stream, signed_in) -> Page:
    """Alice's browser; Bob and Carol have posted."""
    for author in (bob, carol):
        post(author)
    drain_stream()
    return signed_in(alice)


def test_somebody_is_searched_for_and_followed_from_the_list(page):
    page.goto("/explore")
    main = page.get_by_role("main")
    steps.tab_to(page, main.get_by_role("searchbox"))
    page.keyboard.type("bob", delay=30)
    people = page.locator("article.person")
    expect(people).to_have_count(1)
    steps.expect_focus(main.get_by_role("searchbox"))

    button = people.get_by_role("button", name="Bob Brandt")
    steps.tab_to(page, button)
    with page.expect_response("**/follow"):
        page.keyboard.press("Enter")
    steps.expect_state(button, on=True)
    steps.expect_focus(button)


def test_somebody_is_followed_from_the_right_column(page):
    page.goto("/local")
    button = page.get_by_role("complementary").get_by_role("button", name="Carol 陈")
    expect(button).to_be_visible()
    steps.tab_to(page, button)
    with page.expect_response("**/follow"):
        page.keyboard.press("Space")
    steps.expect_state(button, on=True)
    steps.expect_focus(button)


def test_the_first_steps_are_taken(page):
    page.goto("/welcome")
    steps.tab_to(page, page.get_by_label("About you"))
    page.keyboard.type("Walks far.")
    steps.tab_to(page, page.get_by_role("button", name="Save"))
    page.keyboard.press("Enter")
    expect(steps.toast(page)).to_contain_text("Profile saved.")

    for number, name in enumerate(("Bob Brandt", "Carol 陈"), 1):
        button = page.get_by_role("main").get_by_role("button", name=name)
        steps.tab_to(page, button)
        page.keyboard.press("Enter")
        expect(page.locator("#welcome-progress")).to_contain_text(f"{number} of 3")
        steps.expect_focus(button)
    steps.tab_to(page, page.get_by_role("link", name="Go to your timeline"))
    page.keyboard.press("Enter")
    expect(steps.title(page)).to_have_text("Home")

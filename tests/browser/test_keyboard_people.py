"""People are found and followed with the keyboard alone. The first steps are taken so in test_welcome.py."""

import pytest
from playwright.sync_api import Page, expect

from relations.follows.writes import follow
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


def test_somebody_is_followed_from_the_right_column(page, bob, carol, axe):
    follow(by=bob, user_id=carol.user_id)
    page.goto("/@carol/followers")
    own = page.get_by_role("main").get_by_role("button", name="Bob Brandt")
    button = page.get_by_role("complementary").get_by_role("button", name="Bob Brandt")
    expect(button).to_be_visible()
    steps.tab_to(page, button)
    with page.expect_response("**/follow"):
        page.keyboard.press("Space")
    steps.expect_state(button, on=True)
    steps.expect_focus(button)
    steps.expect_state(own, on=False)  # until the page is loaded anew
    assert axe(page) == []

"""In debug mode, as `make run` has it, an error answer leaves the page whole, and a toast says what happened."""

import pytest
from playwright.sync_api import Page, expect

from accounts.people.restrictions import Restriction
from feed.publishing.writes import delete_post
from tests.browser import steps
from tests.conftest import post
from tests.moderation.restricting import restrict

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


@pytest.fixture(autouse=True)
def debug_mode(settings) -> None:
    settings.DEBUG = True


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Bob was here")


@pytest.fixture
def page(post_id, alice, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def expect_whole(page: Page) -> None:
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(steps.card(page, "Bob was here")).to_be_visible()
    assert page.title().startswith("Bob Brandt")


def expect_refusal(page: Page, status: int, says: str) -> None:
    """Liking is answered so, and the page stays."""
    button = page.get_by_role("main").get_by_role("button", name="Like").first
    with page.expect_response(lambda answer: answer.request.method == "POST") as answer:
        button.click()
    assert answer.value.status == status
    expect(steps.toast(page)).to_contain_text(says)
    steps.expect_state(button, on=False)
    expect_whole(page)


def test_who_likes_is_told_why_that_is_refused_and_signs_in_where_the_session_ended(
    page, alice, bob, post_id, watch
):
    watch.expect("403", "404")
    restrict(alice, Restriction.FROZEN)
    expect_refusal(page, 403, "you can read everything here")
    delete_post(by=bob, post_id=post_id)
    expect_refusal(page, 404, "This is no longer here. Reload the page.")
    page.context.clear_cookies(name="csrf")  # as that of a page from before signing in again
    expect_refusal(page, 403, "This page is out of date.")

    post(bob, "Again")
    page.goto("/@bob")
    page.wait_for_load_state("networkidle")  # what the page fetches by itself needs the session too
    page.context.clear_cookies(name="session")
    page.get_by_role("button", name="Like").click()
    expect(page.get_by_role("heading", name="Welcome back")).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()


def test_older_posts_of_somebody_just_suspended_say_that_they_are_gone(bob, page, watch):
    watch.expect("410")
    for number in range(25):
        post(bob, f"Post {number}")
    page.reload()
    restrict(bob, Restriction.SUSPENDED)
    with page.expect_response("**/@bob?page=*") as answer:
        page.get_by_role("link", name="Older posts").scroll_into_view_if_needed()
    assert answer.value.status == 410
    expect(steps.toast(page)).to_contain_text("This is no longer here. Reload the page.")
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
    expect(steps.card(page, "Post 24")).to_be_visible()

"""Following shows at once, with the count beside it; what the server refuses is taken back."""

import pytest
from playwright.sync_api import Locator, Page, expect

from relations.blocks.writes import block
from relations.reads import list_followers
from socialsite.table import Unavailable
from tests.browser import steps

FOLLOW = "relations.follows.writes.follow"


@pytest.fixture
def page(alice, bob, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def button(page: Page) -> Locator:
    return page.get_by_role("button", name="Bob Brandt")


def test_a_follow_shows_within_100_ms_while_the_server_still_works_and_is_taken_back_if_refused(
    page, hold, bob, monkeypatch, watch, alice
):
    answer = hold(FOLLOW)
    assert steps.shown_after(button(page)) < 100
    steps.expect_state(button(page), on=True)
    expect(page.get_by_role("link", name="1 follower", exact=True)).to_be_visible()
    assert list_followers(bob.user_id).items == []

    with page.expect_response("**/follow"):
        answer.set()
    page.reload()
    steps.expect_state(button(page), on=True)
    with page.expect_response("**/follow"):
        button(page).click()
    expect(page.get_by_role("link", name="0 followers", exact=True)).to_be_visible()

    # Unfollow is offered only after the pointer has left once.
    with page.expect_response("**/follow"):
        button(page).click()
    expect(button(page)).to_have_text("Following Bob Brandt", use_inner_text=True)
    page.mouse.move(5, 5)
    button(page).hover()
    expect(button(page)).to_have_text("Unfollow Bob Brandt", use_inner_text=True)

    with page.expect_response("**/follow"):
        button(page).click()
    steps.expect_state(button(page), on=False)
    watch.expect("503", "404")

    def fail(**_: object) -> None:
        raise Unavailable

    with monkeypatch.context() as engine:
        engine.setattr(FOLLOW, fail)
        button(page).click()
        expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
        steps.expect_state(button(page), on=False)
        expect(page.get_by_role("link", name="0 followers", exact=True)).to_be_visible()

    block(by=bob, user_id=alice.user_id)  # who then is answered like someone who is not there
    button(page).click()
    expect(steps.toast(page)).to_contain_text("no longer here")
    steps.expect_state(button(page), on=False)

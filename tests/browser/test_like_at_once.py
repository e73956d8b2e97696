"""A like shows at once, whatever the server takes; what the server refuses is taken back and said."""

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.people.restrictions import Restriction
from feed.likes.reads import list_likers
from feed.publishing.writes import delete_post
from socialsite.table import Unavailable
from tests.browser import steps
from tests.conftest import post
from tests.moderation.restricting import A_SECOND_AGO, restrict

LIKE = "feed.likes.views.like_post"


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Like me")


@pytest.fixture
def page(post_id, alice, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/@bob")
    return page


@pytest.fixture
def heart(page) -> Locator:
    return steps.heart(page.get_by_role("article"))


def fail(**_: object) -> None:
    raise Unavailable


def test_the_heart_fills_within_100_ms_while_the_server_still_works(page, heart, post_id, hold):
    likes = steps.likes(page.get_by_role("article"))
    answer = hold(LIKE)
    assert steps.shown_after(heart) < 100
    steps.expect_state(heart, on=True)
    expect(likes).to_have_text("1 like")
    with page.expect_response("**/like"):
        answer.set()
    steps.expect_state(heart, on=True)
    expect(likes).to_have_text("1 like")

    for on in (False, True):
        with page.expect_response("**/like"):
            heart.click()
        steps.expect_state(heart, on=on)
    expect(likes).to_have_text("1 like")
    page.reload()
    steps.expect_state(heart, on=True)
    assert [liker.handle for liker in list_likers(post_id).items] == ["alice"]


def test_a_like_that_is_refused_is_taken_back_and_says_why(
    page, heart, post_id, alice, bob, monkeypatch, watch
):
    watch.expect("403", "404", "503", "htmx:sendError")

    def expect_refusal(said: str) -> None:
        heart.click()
        expect(steps.toast(page)).to_contain_text(said)
        steps.expect_state(heart, on=False)
        expect(steps.likes(page.get_by_role("article"))).to_be_hidden()
        expect(heart, "the focus stays").to_be_focused()
        page.reload()

    with monkeypatch.context() as fault:
        fault.setattr(LIKE, fail)
        expect_refusal("We can’t save this right now.")

    page.context.set_offline(True)
    heart.click()
    expect(steps.toast(page)).to_contain_text("You seem to be offline.")
    steps.expect_state(heart, on=False)
    page.context.set_offline(False)
    for on in (True, False):  # once there is a connection it can be tried again
        with page.expect_response("**/like"):
            heart.click()
        steps.expect_state(heart, on=on)

    page.context.clear_cookies(name="csrf")
    expect_refusal("This page is out of date.")
    restrict(alice, Restriction.FROZEN)
    expect_refusal("you can read everything here, but you can’t post")
    restrict(alice, Restriction.FROZEN, lasts=A_SECOND_AGO)
    delete_post(by=bob, post_id=post_id)
    expect_refusal("This is no longer here. Reload the page.")


def test_fast_clicks_end_as_the_last_one_wished_or_as_it_was_where_the_server_cannot_save(
    page, heart, post_id, hold, monkeypatch, watch
):
    watch.expect("503")
    for clicks in (2, 3):
        answer = hold(LIKE)
        for click in range(clicks):
            heart.click()
            steps.expect_state(heart, on=click % 2 == 0)
        answer.set()

        expect(page.locator(".htmx-request")).to_have_count(0)
        liked = clicks % 2 == 1
        steps.expect_state(heart, on=liked)
        expect(steps.likes(page.get_by_role("article"))).to_be_visible(visible=liked)
        page.reload()
        steps.expect_state(heart, on=liked)
        assert len(list_likers(post_id).items) == liked

    with page.expect_response("**/like"):
        heart.click()
    steps.expect_state(heart, on=False)
    monkeypatch.setattr(LIKE, fail)
    answer = hold(LIKE)
    heart.click()
    heart.click()
    answer.set()

    expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
    steps.expect_state(heart, on=False)
    expect(steps.likes(page.get_by_role("article"))).to_be_hidden()

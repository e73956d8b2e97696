"""A like shows at once, whatever the server takes; what the server refuses is taken back and said."""

import pytest
from playwright.sync_api import Page, expect

from feed.access_patterns import list_likers
from socialsite.table.errors import Unavailable
from tests.browser import steps
from tests.conftest import post

LIKE = "feed.services.like_post.like_post"


@pytest.fixture
def post_id(bob) -> str:
    return post(bob, "Like me")


@pytest.fixture
def page(post_id, alice, signed_in) -> Page:
    page = signed_in(alice)
    page.goto("/@bob")
    return page


def test_the_heart_fills_within_100_ms_while_the_server_still_works(page, hold, alice):
    heart, likes = (
        steps.heart(page.get_by_role("article")),
        steps.likes(page.get_by_role("article")),
    )
    answer = hold(LIKE)
    assert steps.shown_after(heart) < 100
    steps.expect_state(heart, on=True)
    expect(likes).to_have_text("1 like")

    with page.expect_response("**/like"):
        answer.set()
    steps.expect_state(heart, on=True)
    expect(likes).to_have_text("1 like")


def test_a_like_that_the_server_cannot_save_is_taken_back_and_said(page, monkeypatch, watch):
    watch.expect("503")

    def fail(**_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(LIKE, fail)
    article = page.get_by_role("article")
    steps.heart(article).click()

    expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
    steps.expect_state(steps.heart(article), on=False)
    expect(steps.likes(article)).to_be_hidden()
    expect(steps.heart(article)).to_be_focused()


def test_a_like_without_a_connection_is_taken_back_and_can_be_tried_again(page, watch):
    watch.expect("htmx:sendError")
    article = page.get_by_role("article")
    page.context.set_offline(True)
    steps.heart(article).click()
    expect(steps.toast(page)).to_contain_text("You seem to be offline.")
    steps.expect_state(steps.heart(article), on=False)

    page.context.set_offline(False)
    with page.expect_response("**/like"):
        steps.heart(article).click()
    page.reload()
    steps.expect_state(steps.heart(article), on=True)


@pytest.mark.parametrize("clicks", [2, 3])
def test_fast_clicks_end_as_the_last_one_wished(clicks, page, post_id, hold):
    article = page.get_by_role("article")
    answer = hold(LIKE)
    for click in range(clicks):
        steps.heart(article).click()
        steps.expect_state(steps.heart(article), on=click % 2 == 0)
    answer.set()

    expect(page.locator(".htmx-request")).to_have_count(0)
    liked = clicks % 2 == 1
    steps.expect_state(steps.heart(article), on=liked)
    expect(steps.likes(article)).to_be_visible(visible=liked)
    page.reload()
    steps.expect_state(steps.heart(article), on=liked)
    assert len(list_likers(post_id).items) == liked


def test_fast_clicks_that_the_server_cannot_save_end_as_it_was(page, hold, monkeypatch, watch):
    watch.expect("503")

    def fail(**_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(LIKE, fail)
    article = page.get_by_role("article")
    answer = hold(LIKE)
    steps.heart(article).click()
    steps.heart(article).click()
    answer.set()

    expect(steps.toast(page)).to_contain_text("We can’t save this right now.")
    steps.expect_state(steps.heart(article), on=False)
    expect(steps.likes(article)).to_be_hidden()


def test_liking_unliking_and_liking_again_ends_liked(page, post_id):
    article = page.get_by_role("article")
    for on in (True, False, True):
        with page.expect_response("**/like"):
            steps.heart(article).click()
        steps.expect_state(steps.heart(article), on=on)
    expect(steps.likes(article)).to_have_text("1 like")

    page.reload()
    steps.expect_state(steps.heart(article), on=True)
    assert [liker.handle for liker in list_likers(post_id).items] == ["alice"]

"""Reposting and quoting as people meet them; no page of theirs breaks a rule of axe."""

import pytest
from playwright.sync_api import expect

from feed.pointers import Pointer
from feed.services.repost import repost
from relations.services.follow import follow
from tests.browser import steps
from tests.conftest import post

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def test_a_repost_shows_before_the_server_answers_and_is_taken_back(
    alice, bob, carol, signed_in, drain_stream, hold, look
):
    follow(by=alice, user_id=bob.user_id)
    repost(by=bob, post=Pointer(post(carol, "Pass it on"), carol.user_id))
    drain_stream()
    page = signed_in(alice)
    page.goto("/")
    card = steps.card(page, "Pass it on")
    expect(card.locator(".post-reposted")).to_have_text("Bob Brandt reposted")
    assert look(page) == []

    button, count = card.get_by_role("button", name="Repost"), card.locator(".repost-count")
    answer_now = hold("feed.services.repost.repost")
    assert steps.shown_after(button) < 100
    with page.expect_response("**/repost"):
        answer_now.set()
    steps.expect_state(button, on=True)
    expect(count).to_have_text("2 reposts")
    drain_stream()
    button.click()
    steps.expect_state(button, on=False)
    expect(count).to_have_text("1 repost")
    card.get_by_role("link", name="1 repost").click()
    expect(steps.title(page)).to_have_text("Reposted by")
    assert look(page) == []


def test_a_post_is_quoted_and_its_author_takes_it_out(alice, bob, signed_in, drain_stream, look):
    post_id = post(bob, "Worth more words")
    page = signed_in(alice)
    page.goto("/@bob")
    steps.open_menu(steps.card(page, "Worth more words"))
    page.get_by_role("link", name="Quote post").click()
    expect(page.locator("blockquote")).to_contain_text("Worth more words")
    assert look(page) == []
    steps.write(page, "These, for example")
    expect(steps.title(page)).to_have_text("Post")
    quoting, card = page.url, steps.card(page, "These, for example")
    expect(card.locator("blockquote")).to_contain_text("Worth more words")
    card.get_by_role("link", name="Quoted post by Bob Brandt").click()
    steps.same_place(page, f"/@bob/posts/{post_id}")

    drain_stream()
    page = signed_in(bob)
    for address in ("/quotes", "/replies", ""):
        page.goto(f"/@bob/posts/{post_id}{address}")
        assert look(page) == []
    page.goto(quoting)
    assert look(page) == []
    steps.open_menu(steps.posts(page))
    page.get_by_role("button", name="Remove my post from this quote").click()
    expect(steps.posts(page).locator(".quoted-gone")).to_be_visible()
    assert look(page) == []

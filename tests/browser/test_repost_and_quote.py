"""Reposting, quoting and hiding replies as people meet them, with and without scripts; no page breaks a rule of axe."""

import pytest
from playwright.sync_api import Page, expect

from feed.pointers import Pointer
from feed.services.quote import quote
from feed.services.repost import repost
from relations.services.follow import follow
from tests.browser import steps
from tests.conftest import post
from tests.feed.answers import answer

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")
scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


def button(page: Page, text: str):
    return steps.card(page, text).get_by_role("button", name="Repost")


@scripts
def test_a_post_is_reposted_and_taken_back(alice, bob, signed_in, scripts):
    post(bob, "Pass it on")
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/@bob")
    button(page, "Pass it on").click()
    steps.expect_state(button(page, "Pass it on"), on=True)
    if scripts:  # without them it waits for the stream worker
        expect(steps.card(page, "Pass it on").locator(".repost-count")).to_contain_text("1")
    page.goto("/@bob")
    button(page, "Pass it on").click()
    steps.expect_state(button(page, "Pass it on"), on=False)


def test_the_repost_shows_before_the_server_answers(alice, bob, signed_in, hold):
    post(bob, "Pass it on")
    page = signed_in(alice)
    page.goto("/@bob")
    answer_now = hold("feed.services.repost.repost")
    assert steps.shown_after(button(page, "Pass it on")) < 100
    with page.expect_response("**/repost"):
        answer_now.set()
    steps.expect_state(button(page, "Pass it on"), on=True)


def test_home_says_who_reposted(alice, bob, carol, signed_in, drain_stream, look):
    follow(by=alice, user_id=bob.user_id)
    post_id = post(carol, "Pass it on")
    repost(by=bob, post=Pointer(post_id, carol.user_id))
    drain_stream()
    page = signed_in(alice)
    page.goto("/")
    expect(steps.card(page, "Pass it on").locator(".post-reposted")).to_have_text(
        "Bob Brandt reposted"
    )
    assert look(page) == []
    page.get_by_role("link", name="1 repost").click()
    expect(steps.title(page)).to_have_text("Reposted by")
    assert look(page) == []


@scripts
def test_a_post_is_quoted(alice, bob, signed_in, scripts):
    post(bob, "Worth more words")
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto("/@bob")
    steps.open_menu(steps.card(page, "Worth more words"))
    page.get_by_role("link", name="Quote post").click()
    expect(page.locator("blockquote")).to_contain_text("Worth more words")
    steps.write(page, "These, for example")
    expect(steps.title(page)).to_have_text("Post")
    card = steps.card(page, "These, for example")
    expect(card.locator("blockquote")).to_contain_text("Worth more words")
    card.get_by_role("link", name="Quoted post by Bob Brandt").click()
    expect(page.get_by_role("article")).to_contain_text("Worth more words")


def test_the_pages_of_quotes_break_no_rule(alice, bob, carol, signed_in, drain_stream, look):
    post_id = post(bob, "Worth more words")
    where = Pointer(post_id, bob.user_id)
    quoting = quote(by=carol, post=where, content="These, for example", nonce="form")
    drain_stream()
    page = signed_in(bob)
    for address in ("/quotes", "/quote", "/replies", ""):
        page.goto(f"/@bob/posts/{post_id}{address}")
        assert look(page) == []
    page.goto(f"/@carol/posts/{quoting}")
    assert look(page) == []
    steps.open_menu(steps.posts(page))
    page.get_by_role("button", name="Remove my post from this quote").click()
    expect(steps.posts(page).locator(".quoted-gone")).to_be_visible()
    assert look(page) == []


@scripts
def test_a_reply_is_hidden_behind_the_others_and_shown_again(alice, bob, signed_in, scripts):
    root = post(alice, "What a morning")
    answer(bob, alice, root, "A rude reply")
    page = signed_in(alice, java_script_enabled=scripts)
    page.goto(f"/@alice/posts/{root}")
    steps.open_menu(steps.card(page, "A rude reply"))
    page.get_by_role("button", name="Hide reply").click()
    expect(steps.card(page, "A rude reply")).to_be_hidden()
    page.get_by_text("Replies hidden by the author").click()
    expect(steps.card(page, "A rude reply")).to_be_visible()
    steps.open_menu(steps.card(page, "A rude reply"))
    page.get_by_role("button", name="Show reply").click()
    expect(page.get_by_text("Replies hidden by the author")).to_have_count(0)

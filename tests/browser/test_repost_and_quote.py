"""Reposting and quoting as people meet them; no page of theirs breaks a rule of axe."""

import pytest
from playwright.sync_api import expect

from feed.polls.models import PollWish
from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from relations.follows.writes import follow
from tests.browser import photographs as photos
from tests.browser import steps
from tests.browser.screens import DESKTOP, PHONE
from tests.conftest import post
from tests.feed.photographs import photo, real_files
from tests.feed.polls.polling import DRINKS
from tests.feed.quoting import quoted_by

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
    answer_now = hold("feed.sharing.writes.repost")
    assert steps.shown_after(button) < 100
    with page.expect_response("**/repost"):
        answer_now.set()
    steps.expect_state(button, on=True)
    expect(count).to_have_text("2 reposts")
    drain_stream()
    with page.expect_response("**/repost"):
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


def test_a_post_is_quoted_with_a_photo_and_a_poll(alice, bob, signed_in, look):
    page = signed_in(alice)
    page.goto(f"/@bob/posts/{post(bob, 'Worth more words')}/quote")
    steps.composer(page).focus()
    photos.choose(page, photos.file())
    photos.describe(page, "A heron")
    page.locator(".part-poll > summary").click()
    for number in (1, 2):
        page.get_by_label(f"Answer {number}", exact=True).fill(DRINKS[number])
    photos.expect_there(page, 1)
    assert look(page) == []
    steps.write(page, "Which is it?")
    card = steps.card(page, "Which is it?")
    expect(card.get_by_role("img", name="A heron", exact=True)).to_be_visible()
    expect(card.locator(".poll bdi")).to_have_text(DRINKS[1:])
    expect(card.locator("blockquote")).to_contain_text("Worth more words")
    assert look(page) == []


def test_all_that_a_card_shows_is_in_one_column(alice, bob, carol, signed_in, drain_stream):
    follow(by=carol, user_id=alice.user_id)
    heron = photo(alice, "A heron", files=real_files(160, 120))
    quoting = quoted_by(alice, bob, post(bob), photos=[heron], poll=PollWish(DRINKS))
    repost(by=alice, post=Pointer(quoting, alice.user_id))
    drain_stream()
    page = signed_in(carol)
    for address in ("/", f"/@alice/posts/{quoting}"):
        page.goto(address)
        for size in (PHONE, DESKTOP):
            page.set_viewport_size(size)
            parts = [".post-text", ".post-photos", ".poll", ".quoted"]
            boxes = [page.locator(f"#post-{quoting} > {part}").bounding_box() for part in parts]
            assert len({(box["x"], box["width"]) for box in boxes}) == 1, (address, size)
            tops = [box["y"] for box in boxes]
            assert tops == sorted(tops)
            actions = page.locator(f"#post-{quoting} .post-actions").bounding_box()
            assert actions["y"] >= boxes[-1]["y"] + boxes[-1]["height"]
            assert boxes[0]["x"] - 10 <= actions["x"] <= boxes[0]["x"], (address, size)

"""Leaving a conversation: nothing more is told of it, and nobody learns that."""

import pytest
from django.test import Client

from feed.likes.writes import like_post
from feed.posts.reads import Pointer
from feed.sharing.writes import repost
from feed.threads.writes import leave_thread
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.feed.quoting import quoted_by
from tests.notifications.told import told, waiting
from tests.web.html import Html


def press(browser: Client, handle: str, post_id: str, on: str, **extra):
    return browser.post(f"/@{handle}/posts/{post_id}/leave", {"on": on}, **extra)


def test_nothing_is_told_of_a_thread_that_was_left(alice, bob, carol, drain_stream):
    root = post(alice)
    reply = answer(bob, alice, root)
    leave_thread(by=bob, root_id=root)
    answer(carol, bob, reply, "And @bob?")
    answer(carol, alice, root, "What does @bob say?")
    drain_stream()
    assert told(bob) == []
    assert told(alice) == ["Carol replied", "Carol replied", "Bob replied"]


@pytest.mark.parametrize("mine", ["root", "reply"])
def test_likes_reposts_and_quotes_in_a_thread_that_was_left_are_not_told(
    alice, bob, carol, drain_stream, mine
):
    root = post(alice)
    left = {"root": (alice, root), "reply": (bob, answer(bob, alice, root))}
    author, mine_id = left[mine]
    drain_stream()
    before = told(author)
    leave_thread(by=author, root_id=root)
    like_post(by=carol, post_id=mine_id, author_id=author.user_id)
    repost(by=carol, post=Pointer(mine_id, author.user_id))
    quoted_by(carol, author, mine_id)
    drain_stream()
    assert told(author) == before
    assert waiting(author).notifications == len(before)


def test_what_happens_elsewhere_is_still_told(alice, bob, drain_stream):
    leave_thread(by=alice, root_id=post(alice))
    other = post(alice, "Another")
    like_post(by=bob, post_id=other, author_id=alice.user_id)
    quoted_by(bob, alice, other)
    drain_stream()
    assert told(alice) == ["Bob quoted your post", "Bob liked your post"]


@pytest.mark.parametrize("where", ["root", "reply"])
def test_a_thread_is_left_and_joined_again_from_any_of_its_posts(
    alice, bob, carol, log_in, drain_stream, where
):
    root = post(alice)
    reply = answer(bob, alice, root)
    handle, at = ("alice", root) if where == "root" else ("bob", reply)
    browser = log_in(bob)
    assert press(browser, handle, at, "1")["Location"] == f"/@{handle}/posts/{at}"
    said = Html(browser.get(f"/@{handle}/posts/{at}")).one("div", id="toasts").text
    assert "You won’t be notified about this conversation." in said
    for address in (f"/@alice/posts/{root}", f"/@bob/posts/{reply}"):
        button = Html(browser.get(address)).one("button", formaction=f"{address}/leave")
        assert (button["value"], button.text) == ("0", "Notify me again")
    assert press(browser, handle, at, "0")["Location"] == f"/@{handle}/posts/{at}"
    answer(carol, bob, reply)
    drain_stream()
    assert told(bob) == ["Carol replied"]


def test_it_is_an_entry_in_the_menu_of_the_post_whose_page_it_is_and_of_no_other(
    alice, bob, log_in
):
    root = post(alice)
    reply = answer(bob, alice, root)
    for address in (f"/@alice/posts/{root}", f"/@bob/posts/{reply}"):
        page = Html(log_in(bob).get(address))
        buttons = [
            one
            for one in page.all("button")
            if one.attributes.get("formaction", "").endswith("/leave")
        ]
        assert [one["formaction"] for one in buttons] == [f"{address}/leave"]
        assert buttons[0].text == "Stop notifying me about this conversation"
        assert len(page.all("button", name="on", class_="button")) == 0
    assert "/leave" not in log_in(bob).get("/local").content.decode()


def test_a_page_opened_before_the_button_moved_is_led_to_the_post(alice, bob, log_in):
    root = post(alice)
    response = press(log_in(bob), "alice", root, "1", headers=HTMX)
    assert response["HX-Redirect"] == f"/@alice/posts/{root}"


@pytest.mark.parametrize("on", ["1", "0"])
def test_pressing_twice_is_pressing_once(alice, bob, log_in, on):
    root = post(alice)
    browser = log_in(bob)
    for _ in range(2):
        assert press(browser, "alice", root, on).status_code == 302
    shown = Html(browser.get(f"/@alice/posts/{root}"))
    assert shown.one("button", formaction=f"/@alice/posts/{root}/leave")["value"] != on

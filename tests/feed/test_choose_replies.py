"""Who can reply is changed after publishing, for the whole thread and from now on."""

import pytest
from django.test import Client

from feed.posts.models import Replies
from feed.threads.reads import CannotReply
from feed.threads.writes import choose_replies
from socialsite.table import NotFound
from tests.conftest import HTMX, post
from tests.feed.answers import answer
from tests.web.html import Html


def send(browser: Client, post_id: str, replies: str, **extra):
    return browser.post(f"/@alice/posts/{post_id}/replies", {"replies": replies}, **extra)


def test_a_thread_that_is_closed_takes_no_more_replies_and_keeps_what_it_has(alice, bob, log_in):
    root = post(alice)
    first = answer(bob, alice, root)
    send(log_in(alice), root, Replies.NOBODY)
    with pytest.raises(CannotReply):
        answer(bob, alice, root)
    with pytest.raises(CannotReply):
        answer(bob, bob, first)
    assert Html(log_in(bob).get(f"/@alice/posts/{root}")).post_ids() == [root, first]


def test_a_thread_that_is_opened_again_takes_replies(alice, bob, log_in):
    root = post(alice)
    for replies in (Replies.NOBODY, Replies.EVERYONE):
        send(log_in(alice), root, replies)
    assert answer(bob, alice, root)


def test_the_form_shows_what_was_chosen_as_page_and_fragment(alice, log_in):
    root = post(alice)
    browser = log_in(alice)
    assert send(browser, root, Replies.FRIENDS)["Location"] == f"/@alice/posts/{root}"
    for extra in ({}, {"headers": HTMX}):
        page = Html(browser.get(f"/@alice/posts/{root}/replies", **extra))
        chosen = [one["value"] for one in page.all("option") if "selected" in one.attributes]
        assert chosen == [Replies.FRIENDS, ""]  # and anyone can quote
    assert send(browser, root, Replies.FRIENDS, headers=HTMX).status_code == 200


def test_nonsense_is_explained_and_changes_nothing(alice, bob, log_in):
    root = post(alice)
    refused = send(log_in(alice), root, "aliens")
    assert refused.status_code == 422
    assert Html(refused).error("replies") == "Choose who can reply."
    assert answer(bob, alice, root)


def test_only_the_author_of_the_first_post_chooses(alice, bob, log_in):
    root = post(alice)
    reply = answer(alice, alice, root)
    assert send(log_in(bob), root, Replies.NOBODY).status_code == 404
    assert send(log_in(alice), reply, Replies.NOBODY).status_code == 404
    for post_id in (root, reply):
        with pytest.raises(NotFound):
            choose_replies(by=bob, post_id=post_id, replies=Replies.NOBODY)
    with pytest.raises(NotFound):
        choose_replies(by=alice, post_id=reply, replies=Replies.NOBODY)
    assert answer(bob, alice, root)

"""Hiding replies in the own thread: behind the others, with what is below them, for everyone, and only there."""

import pytest
from django.test import Client

from feed.publishing.writes import delete_post
from feed.threads.reads import get_conversation
from tests.conftest import post
from tests.feed.answers import answer
from tests.looks import broken_invariants
from tests.relations.relations import OFF, ON
from tests.web.html import Html


@pytest.fixture
def root(alice) -> str:
    return post(alice)


@pytest.fixture
def reply(alice, bob, root) -> str:
    return answer(bob, alice, root, "A rude reply")


def replies(author, post_id: str, viewer) -> tuple[list[str], list[str]]:
    """The ids of the replies that are shown, and of those that are set aside."""
    found = get_conversation(post_id, author.user_id, viewer=viewer)
    shown, aside = (
        [node.post_id for branch in branches for node in branch.chain]
        for branches in (found.branches, found.set_aside)
    )
    return shown, aside


def test_a_hidden_reply_goes_behind_the_others_with_its_answers(
    alice, bob, carol, root, reply, log_in, drain_stream
):
    below = answer(carol, bob, reply)
    other = answer(carol, alice, root)
    browser = log_in(alice)
    for _ in range(2):
        response = browser.post(f"/@bob/posts/{reply}/hide", ON)
        assert (response.status_code, response["Location"]) == (302, f"/@alice/posts/{root}")
        assert replies(alice, root, carol) == ([other], [reply, below])
    for _ in range(2):
        browser.post(f"/@bob/posts/{reply}/hide", OFF)
        assert replies(alice, root, carol) == ([reply, below, other], [])
    drain_stream()
    assert not broken_invariants()


def test_the_page_has_them_behind_a_summary(alice, carol, root, reply, log_in):
    log_in(alice).post(f"/@bob/posts/{reply}/hide", ON)
    page = Html(log_in(carol).get(f"/@alice/posts/{root}"))
    details = page.one("details", class_="set-aside")
    assert details.text.startswith("Replies hidden by the author")
    assert "A rude reply" in details.text


def test_the_menu_offers_it_to_the_author_of_the_thread_alone(
    alice, bob, carol, root, reply, log_in
):
    address, page = f"/@bob/posts/{reply}/hide", f"/@alice/posts/{root}"
    for other in (bob, carol):
        assert not Html(log_in(other).get(page)).all("button", formaction=address)
    browser = log_in(alice)
    assert Html(browser.get(page)).one("button", formaction=address)["value"] == "1"
    browser.post(address, ON)
    assert Html(browser.get(page)).one("button", formaction=address)["value"] == "0"


def test_the_reply_keeps_its_own_page(alice, bob, carol, root, reply, log_in):
    log_in(alice).post(f"/@bob/posts/{reply}/hide", ON)
    assert "A rude reply" in log_in(carol).get(f"/@bob/posts/{reply}").content.decode()


def test_nobody_else_hides_a_reply(alice, bob, carol, root, reply, log_in):
    address = f"/@bob/posts/{reply}/hide"
    for other in (bob, carol):
        assert log_in(other).post(address, ON).status_code == 404
    assert Client().post(address, ON)["Location"].startswith("/login")
    assert log_in(alice).get(address, ON).status_code == 405
    assert 400 <= log_in(alice).post(address, {"on": "banana"}).status_code < 500
    assert replies(alice, root, carol) == ([reply], [])


def test_own_replies_and_first_posts_are_not_hidden(alice, root, log_in):
    part = answer(alice, alice, root)
    for post_id in (root, part):
        assert log_in(alice).post(f"/@alice/posts/{post_id}/hide", ON).status_code == 404


def test_a_hidden_reply_that_is_deleted_leaves_nothing(
    alice, bob, carol, root, reply, log_in, drain_stream
):
    log_in(alice).post(f"/@bob/posts/{reply}/hide", ON)
    delete_post(by=bob, post_id=reply)
    drain_stream()
    assert replies(alice, root, carol) == ([], [])
    assert not broken_invariants()

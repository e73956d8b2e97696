"""Cursors in addresses: altered, cut off, or of another list, they get the page that says so."""

from collections.abc import Callable

import pytest
from django.test import Client

from feed.likes.models import Like
from socialsite.table import write_batch
from socialsite.table.ids import new_id
from tests.conftest import HTMX, post
from tests.feed.timelines import authors, fill_home
from tests.web.html import Html

SPOILT: dict[str, Callable[[str], str]] = {
    "cut off": lambda cursor: cursor[:-1],
    "cut in half": lambda cursor: cursor[: len(cursor) // 2],
    "first letter": lambda cursor: ("y" if cursor[0] == "x" else "x") + cursor[1:],
    "other direction": lambda cursor: ("b" if cursor[0] == "c" else "c") + cursor[1:],
    "last byte": lambda cursor: cursor[:-4] + ("AAAA" if cursor[-4:] != "AAAA" else "BBBB"),
    "in the old form, unsigned": lambda cursor: f"{cursor}.{'A' * 43}",
    "with a sign in it": lambda cursor: cursor[:8] + "!" + cursor[8:],
    "one place only": lambda cursor: "bg",
    "twice": lambda cursor: cursor * 2,
    "very long": lambda cursor: cursor * 200,
    "letters": lambda cursor: "abc",
    "a dot": lambda cursor: ".",
    "not ascii": lambda cursor: "é陈",
    "a number": lambda cursor: "2",
}


@pytest.fixture
def lists(alice) -> list[str]:
    """Addresses of lists that have a second page."""
    posts = [post(alice) for _ in range(22)]
    people = authors(22)
    like = {"post_id": posts[0], "author_id": alice.user_id}
    write_batch(puts=[*people, *(Like.new(**like, user_id=one.user_id) for one in people)])
    fill_home(alice, people)
    return ["/@alice", "/", f"/@alice/posts/{posts[0]}/likers"]


@pytest.fixture
def member(alice, log_in) -> Client:
    return log_in(alice)


@pytest.fixture
def cursors(lists, member) -> dict[str, str]:
    """Each list's address with the cursor of its second page."""

    def second(path: str) -> str:
        return Html(member.get(path)).link("next").partition("?page=")[2]

    return {path: second(path) for path in lists}


@pytest.mark.parametrize("extra", [{}, {"headers": HTMX}], ids=["page", "htmx"])
def test_a_spoilt_cursor_gets_the_page_that_says_so(cursors, member, extra):
    for path, cursor in cursors.items():
        assert member.get(path, {"page": cursor}, **extra).status_code == 200
        for how, spoil in SPOILT.items():
            response = member.get(path, {"page": spoil(cursor)}, **extra)
            assert response.status_code == 400, (path, how)
            assert "This link has expired" in response.content.decode()


def test_a_cursor_of_another_list_is_refused(cursors, member):
    for path in cursors:
        for other, cursor in cursors.items():
            status = member.get(path, {"page": cursor}).status_code
            assert status == (200 if other == path else 400), (path, other)


def test_a_home_cursor_of_somebody_else_is_refused(cursors, bob, log_in):
    assert log_in(bob).get("/", {"page": cursors["/"]}).status_code == 400


def test_the_local_list_takes_only_its_own(cursors, member):
    for cursor in (cursors["/@alice"], "abc", "é", "." * 500):
        assert member.get("/local", {"page": cursor}).status_code == 400


def test_a_spoilt_place_of_the_pill_is_refused(cursors, member):
    since = Html(member.get("/")).one(id="pulse")["hx-get"].partition("&since=")[2]
    for how, spoil in SPOILT.items():
        for path in ("/pulse", "/new"):
            response = member.get(path, {"since": spoil(since), "show": 1}, headers=HTMX)
            assert response.status_code == 400, how


def test_an_empty_cursor_is_the_first_page(alice, member):
    post_id = post(alice)
    assert Html(member.get("/?page=")).post_ids() == [post_id]


def test_a_cursor_outlives_the_post_it_was_made_at(cursors, member, alice):
    second = Html(member.get("/@alice", {"page": cursors["/@alice"]})).post_ids()
    edge = Html(member.get("/@alice")).post_ids()[-1]
    member.post(f"/@alice/posts/{edge}/delete")
    assert Html(member.get("/@alice", {"page": cursors["/@alice"]})).post_ids() == second


def test_a_cursor_does_not_lead_to_a_list_that_is_not_there(cursors, member):
    path = f"/@alice/posts/{new_id()}/likers"
    assert member.get(path, {"page": cursors["/@alice"]}).status_code == 404

"""What messages cost: calls and units of each page, of sending, and of looking for news."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.encryption.person_keys import _open
from chats.reads import get_chat
from socialsite.table import ids, keys
from tests.chats.scenes import knows, write
from tests.conftest import HTMX, person
from tests.feed.conftest import requests_of
from tests.web.html import Html

__all__ = ["requests_of"]  # a fixture

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")
WORDS = "A message of two hundred letters, as people write them. " * 4


@pytest.fixture
def member(alice, log_in) -> Client:
    return log_in(alice)


@pytest.fixture
def full(alice, bob, drain_stream) -> None:
    """Fifty messages of 200 letters, of both."""
    knows(bob, alice)
    for _number in range(25):
        write(alice, bob, WORDS[:200])
        write(bob, alice, WORDS[:200])
    drain_stream()


def calls(requests) -> list[tuple[str, float]]:
    return list(zip(requests.operations, requests.units, strict=True))


@capacity
def test_a_conversation_of_fifty_messages(full, member, requests_of):
    _open.forget_all()
    with requests_of() as requests:
        page = Html(member.get("/messages/@bob"))
    assert len(page.all("div", class_="bubble")) == 50
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert sum(requests.units) <= 12, requests.units


@capacity
def test_the_list_of_conversations(alice, member, requests_of, drain_stream):
    for number in range(25):
        other = person(f"writer{number}")
        knows(alice, other)
        write(other, alice, WORDS[:200])
    drain_stream()
    _open.forget_all()
    with requests_of() as requests:
        page = Html(member.get("/messages"))
    assert len(page.all("a", class_="chat-row")) == 10
    assert requests.operations == ["BatchGetItem", "Query", "BatchGetItem"]
    assert sum(requests.units) <= 26, requests.units


@capacity
def test_sending_is_two_calls_and_eight_units(full, bob, member, requests_of):
    _open.forget_all()
    form = {"content": "One more", "nonce": ids.new_id(), "to": bob.user_id}
    with requests_of() as requests:
        answer = member.post("/messages/@bob", form, headers=HTMX)
    assert answer.status_code == 200
    assert requests.operations == ["BatchGetItem", "TransactWriteItems"]
    assert requests.units[1] == 8


@capacity
def test_a_look_for_news_with_nothing_new_is_one_call_beside_the_viewer(
    full, alice, bob, member, requests_of, monkeypatch
):
    monkeypatch.setattr("chats.reads.OVERLAP", timedelta(0))  # the fifty came within a second
    found = get_chat(alice, keys.pair(alice.user_id, bob.user_id))
    asked = {"with": bob.user_id, "after": found.newest, "mark": found.mark}
    with requests_of() as requests:
        answer = member.get("/messages/@bob/news", asked, headers=HTMX)
    assert answer.status_code == 204
    assert requests.operations == ["BatchGetItem", "Query"]
    assert requests.units[1] <= 1

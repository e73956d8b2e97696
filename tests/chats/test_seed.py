"""The demo shows what private messages are: a conversation with its marks, and strangers who ask."""

from datetime import timedelta
from types import SimpleNamespace

import pytest

from accounts.people.cards import PersonCard
from accounts.people.reads import find_user_by_handle
from accounts.people.viewer import Viewer
from chats.kept import list_kept
from chats.models import ChatEntry, KeptMessage, Message
from chats.reads import get_chat, list_chats
from operations.seed.demo_data import DemoData, Sizes
from socialsite.clock import utc_now
from socialsite.streams.worker import bulk_load
from socialsite.table import fetch, keys, write_batch
from tests.chats.test_messages import bell
from tests.web.html import Html

TINY = Sizes(people=40, posts=12, follows=2, days=3, pictures=0)


@pytest.fixture
def plan(monkeypatch) -> DemoData:
    monkeypatch.setattr("operations.seed.demo_data.photo_items", lambda *_: ())  # they take long
    monkeypatch.setattr("operations.seed.demo_data.save_header", lambda *_: None)
    return DemoData(TINY, now=utc_now())


@pytest.fixture
def demo(table, plan) -> SimpleNamespace:
    """Alice and Bob of the demo."""
    with bulk_load():
        write_batch(puts=plan.items())
    return SimpleNamespace(alice=viewer("alice"), bob=viewer("bob"))


def viewer(handle: str) -> Viewer:
    key = keys.user_info(find_user_by_handle(handle))
    return Viewer(key.pk[2:], card=PersonCard.from_raw(fetch([key])[key]))


def messages_of(data: DemoData) -> list[tuple[str, str, bool]]:
    return [
        (item.chat_id, item.message_id, bool(item.answers))
        for item in data.items()
        if isinstance(item, Message)
    ]


def test_alice_and_bob_have_talked_for_days(demo):
    found = get_chat(demo.alice, keys.pair(demo.alice.user_id, demo.bob.user_id)).messages
    assert {one.author_id for one in found} == {demo.alice.user_id, demo.bob.user_id}
    assert len({one.created.date() for one in found}) >= 3
    assert all(one.text for one in found)
    assert [one for one in found if one.answered]
    assert len([one for one in found if one.is_large]) == 2
    assert [one for one in found if one.is_kept]
    assert [one for one in found if one.is_mine and one.is_seen]
    assert all(one.ends > utc_now() + timedelta(days=2) for one in found)


def test_alice_keeps_a_message_and_has_not_read_the_last_one(demo):
    (kept,) = list_kept(demo.alice).items
    assert kept.text
    assert [(one.title, one.is_new) for one in list_chats(demo.alice).items] == [
        ("", True),
        ("Bread on Saturday", False),
    ]
    assert bell(demo.alice).chats == (demo.bob.user_id,)


def test_they_are_in_a_group_with_a_third_and_one_is_invited(demo):
    (row,) = [one for one in list_chats(demo.bob).items if one.title]
    found = get_chat(demo.bob, row.chat_id)
    assert row.is_new
    assert len(found.group.members) == 3
    assert len(found.group.invited) == 1
    assert [one.line for one in found.messages] == ["joined", "joined", "", "", ""]
    assert all(one.text or one.line for one in found.messages)


@pytest.mark.parametrize("handle", ["alice", "bob"])
def test_a_stranger_asks_each_of_them(demo, handle):
    asked = getattr(demo, handle)
    (request,) = list_chats(asked, requests=True).items
    assert request.last.text
    assert bell(asked).chat_requests == (request.other.user_id,)


def test_the_pages_show_it(demo, log_in):
    browser = log_in(demo.alice)
    assert "Boris" in Html(browser.get("/messages/@bob")).one("main").text
    assert browser.get("/messages/requests").status_code == 200


def test_the_same_seed_and_moment_give_the_same_conversations(plan):
    again = DemoData(TINY, now=plan.now)
    assert messages_of(plan) == messages_of(again)
    other = DemoData(TINY, seed=2, now=plan.now)
    assert messages_of(plan) != messages_of(other)
    kinds = {type(item) for item in plan.items()}
    assert {ChatEntry, KeptMessage} <= kinds

"""Two people write to each other: what arrives, what asks first, what is told, and what it costs."""

from dataclasses import replace
from datetime import timedelta

import pytest

from accounts.people.viewer import Waiting
from chats.badges import note_for_others
from chats.models import State
from chats.reads import get_new_messages
from chats.writes import CannotWrite, choose_days, delete_message, read_messages
from relations.blocks.writes import block
from socialsite.clock import utc_now
from socialsite.table import fetch, ids, keys
from tests.chats.scenes import accept, knows, seen_by, texts, write


def bell(person) -> Waiting:
    return Waiting.from_raw(
        fetch([keys.bell(person.user_id)], consistent=True).get(keys.bell(person.user_id), {})
    )


def test_what_one_sends_both_read(alice, bob, drain_stream):
    knows(bob, alice)
    write(alice, bob, "Tea?")
    write(bob, alice, "Yes.")
    assert texts(alice, bob) == texts(bob, alice) == ["Tea?", "Yes."]


def test_a_stranger_asks_with_one_message_until_it_is_accepted(alice, bob, drain_stream):
    assert write(alice, bob, "We met.").is_request
    drain_stream()
    assert bell(bob).chat_requests == (alice.user_id,)
    with pytest.raises(CannotWrite):
        write(alice, bob, "Hello?")
    accept(bob, alice)
    write(alice, bob, "Thanks!")
    assert bell(bob).chat_requests == ()
    assert texts(bob, alice) == ["We met.", "Thanks!"]


def test_who_answers_a_request_accepts_it(alice, bob, drain_stream):
    write(alice, bob, "We met.")
    write(bob, alice, "I remember.")
    write(alice, bob, "Good.")
    assert [one.state for one in (seen_by(bob, alice).standing, seen_by(alice, bob).standing)] == [
        State.IN
    ] * 2


def test_both_write_first_at_the_same_moment(alice, bob, drain_stream):
    write(alice, bob, "One")
    write(bob, alice, "Two")
    assert sorted(texts(alice, bob)) == ["One", "Two"]


def test_the_same_form_sends_once(alice, bob, drain_stream):
    knows(bob, alice)
    nonce = ids.new_id()
    assert write(alice, bob, "Tea?", nonce=nonce).message
    assert write(alice, bob, "Tea?", nonce=nonce).message is None
    assert texts(bob, alice) == ["Tea?"]


def test_the_badge_counts_conversations_until_they_are_read(alice, bob, carol, drain_stream):
    knows(bob, alice)
    knows(bob, carol)
    write(alice, bob, "One")
    last = write(alice, bob, "Two").message.message_id
    write(carol, bob, "Three")
    drain_stream()
    assert set(bell(bob).chats) == {alice.user_id, carol.user_id}
    me = replace(bob, waiting=bell(bob))
    read_messages(by=me, chat_id=keys.pair(bob.user_id, alice.user_id), up_to=last)
    assert bell(bob).chats == (carol.user_id,)


def test_a_deleted_message_has_no_words_left(alice, bob, drain_stream):
    knows(bob, alice)
    message = write(alice, bob, "Oops").message
    delete_message(by=alice, chat_id=message.chat_id, message_id=message.message_id)
    assert seen_by(bob, alice).messages[0].is_deleted
    raw = fetch([message.key], consistent=True)[message.key]
    assert "body" not in raw


def test_words_are_sealed(alice, bob, drain_stream):
    knows(bob, alice)
    message = write(alice, bob, "Secret").message
    assert b"Secret" not in repr(fetch([message.key])[message.key]).encode()


def test_messages_live_seven_days_or_as_long_as_was_chosen(alice, bob, drain_stream):
    knows(bob, alice)
    first = write(alice, bob).message
    assert timedelta(days=6, hours=23) < first.ttl - utc_now() <= timedelta(days=7)
    choose_days(by=bob, chat_id=first.chat_id, days=1)
    second = write(alice, bob).message
    assert second.ttl - utc_now() <= timedelta(days=1)
    assert [one.line for one in seen_by(alice, bob).messages] == ["", "keep", ""]


def test_a_block_hides_old_messages_and_ends_writing(alice, bob, drain_stream):
    knows(bob, alice)
    write(alice, bob, "Tea?")
    block(by=bob, user_id=alice.user_id)
    assert texts(alice, bob) == texts(bob, alice) == []
    with pytest.raises(CannotWrite):
        write(alice, bob)


def test_a_page_that_was_empty_hears_of_the_first_message(alice, bob, drain_stream):
    knows(bob, alice)
    said = write(alice, bob, "Tea?").message
    came = get_new_messages(said.chat_id, after="", known=[])
    assert came.newest == said.message_id


def test_what_crosses_on_its_way_stays_unread(alice, bob, drain_stream):
    knows(bob, alice)
    knows(alice, bob)
    write(alice, bob, "Shall we?")
    write(bob, alice, "Are you there?")  # neither has seen the other's
    drain_stream()
    assert bell(alice).chats == (bob.user_id,)
    assert bell(bob).chats == (alice.user_id,)


def test_a_record_that_comes_twice_or_late_brings_no_badge_back(alice, bob, drain_stream):
    knows(bob, alice)
    first, second = write(alice, bob, "One").message, write(alice, bob, "Two").message
    drain_stream()
    me = replace(bob, waiting=bell(bob))
    read_messages(by=me, chat_id=first.chat_id, up_to=second.message_id)
    for message in (first, second, first):
        note_for_others(message)
    assert bell(bob).chats == ()

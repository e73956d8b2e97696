"""Sending where something crosses: a lost answer, other windows and people, entries that have ended and are not deleted
yet, a full bell. What got its answer is there once, and rings where it should."""

from contextvars import Context
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from accounts.models import Bell
from accounts.people.viewer import Viewer
from chats.badges import MOST_IN_BELL
from chats.models import ChatEntry, State
from chats.own_entries.writes import clear_chat, mute_chat
from chats.reads import get_chat, list_chats
from chats.writes import CannotWrite, accept_chat, choose_days, read_messages, refuse_chat
from relations.blocks.writes import block
from relations.follows.writes import unfollow
from socialsite.clock import utc_now
from socialsite.table import NotFound, Unavailable, change, fetch, ids, keys, row
from tests.chats.scenes import accept, knows, seen_by, texts, write
from tests.chats.test_erasure import badges
from tests.chats.test_groups import group_of, say
from tests.chats.test_groups import read as read_in_group
from tests.chats.test_messages import bell
from tests.conftest import person
from tests.injected.conftest import clock, hook
from tests.injected.faults import FOR_EVER, TRANSACTIONS, Fault, lose_answer, refuse_connection
from tests.looks import broken_invariants
from tests.together import meanwhile, together

__all__ = ["clock", "hook"]  # fixtures


@pytest.fixture
def known(alice, bob) -> str:
    """Their conversation: both may write without asking."""
    knows(bob, alice)
    knows(alice, bob)
    return keys.pair(alice.user_id, bob.user_id)


def entry_of(one: Viewer, chat_id: str) -> ChatEntry:
    """An entry as it stands in the table, also where it has ended."""
    key = keys.chat_entry(one.user_id, chat_id)
    return row(ChatEntry, fetch([key], consistent=True)[key])


def ends(one: Viewer, chat_id: str, when: timedelta = timedelta(seconds=-1)) -> None:
    """The end of someone's entry is past, and the table has not deleted it yet."""
    key = keys.chat_entry(one.user_id, chat_id)
    change(ChatEntry, key, [ChatEntry.ttl.set(utc_now() + when)])


# The same form again


def test_a_form_whose_answer_was_lost_is_sent_once_by_the_next_try(known, alice, bob, hook, clock):
    nonce = ids.new_id()
    lost = Fault("lost", lose_answer, TRANSACTIONS)
    with hook.armed(lost, times=FOR_EVER), pytest.raises(Unavailable):
        write(alice, bob, "Once", nonce=nonce)
    assert write(alice, bob, "Once", nonce=nonce).message is None
    assert texts(bob, alice) == ["Once"]


def test_a_form_of_an_old_window_is_sent_once_however_many_others_were_opened_since(
    known, alice, bob
):
    old = ids.new_id()
    for number in range(10):
        write(alice, bob, f"{number}")
    write(alice, bob, "Old", nonce=old)
    write(alice, bob, "New")
    assert write(alice, bob, "Old", nonce=old).message is None
    assert texts(bob, alice).count("Old") == 1


def test_a_request_of_two_windows_at_once_is_one(alice, bob, drain_stream):
    answers = together(*[lambda: write(alice, bob, "We met.")] * 3)
    assert sorted(isinstance(one, CannotWrite) for one in answers) == [False, True, True]
    drain_stream()
    assert texts(bob, alice) == ["We met."]
    assert bell(bob).chat_requests == (alice.user_id,)


def test_while_the_engine_is_down_a_message_is_answered_with_a_pause(
    known, alice, bob, log_in, hook, clock
):
    client = log_in(alice)
    client.raise_request_exception = False
    form = {"content": "Tea?", "nonce": ids.new_id(), "to": bob.user_id}
    with hook.armed(Fault("down", refuse_connection), times=FOR_EVER):
        answer = client.post("/messages/@bob", form)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert client.post("/messages/@bob", form).status_code == 302
    assert texts(bob, alice) == ["Tea?"]


# At the same moment


def test_many_who_write_into_a_group_at_once_all_stand_in_it(alice, drain_stream):
    others = [person(f"writer{number}") for number in range(5)]
    for one in others:
        knows(one, alice)
    chat_id = group_of(alice, *others)
    said = [f"From {one.handle}" for one in others]
    answers = together(
        *(
            lambda one=one, text=text: say(one, chat_id, text)
            for one, text in zip(others, said, strict=True)
        )
    )
    assert all(isinstance(one, str) for one in answers), answers
    drain_stream()
    assert sorted(text for text in read_in_group(alice, chat_id) if text in said) == said
    assert bell(alice).chats == (chat_id,)
    newest = max(answers)
    assert all(entry_of(one, chat_id).last == newest for one in [alice, *others])
    assert broken_invariants() == {}


def test_what_comes_while_one_sends_stays_the_last_if_it_is(known, alice, bob, drain_stream):
    write(bob, alice, "One")
    write(alice, bob, "Two")
    drain_stream()
    came: list[str] = []

    def comes() -> None:
        came.append(write(bob, alice, "Three").message.message_id)
        drain_stream()

    with meanwhile(partial(Context().run, comes)):  # as another process, whose uses are not ours
        mine = write(alice, bob, "Four").message.message_id
    assert entry_of(alice, known).last == max(*came, mine)
    assert came[0] < mine


def test_a_choice_of_days_meanwhile_lets_the_message_arrive(known, alice, bob):
    write(alice, bob, "One")
    choice = partial(choose_days, by=bob, chat_id=known, days=1)
    with meanwhile(partial(Context().run, choice)):
        message = write(alice, bob, "Two").message
    assert sorted(texts(bob, alice)) == ["", "One", "Two"]
    assert message.ttl - utc_now() <= timedelta(days=7)
    assert write(alice, bob, "Three").message.ttl - utc_now() <= timedelta(days=1)


@pytest.mark.parametrize("act", [read_messages, clear_chat])
def test_a_badge_that_rang_while_its_message_was_being_read_goes_with_it(
    act, known, alice, bob, drain_stream
):
    """As the seed 2029.54 of the simulation had it: the worker rang after the viewer was read."""
    message = write(alice, bob, "Tea?").message
    assert message
    reading = replace(bob, waiting=bell(bob))
    drain_stream()
    assert bell(bob).chats == (alice.user_id,)
    act(by=reading, chat_id=message.chat_id, up_to=message.message_id)
    assert bell(bob).chats == ()
    assert not broken_invariants()


def test_who_reads_a_group_has_no_badge_of_what_a_block_hides(alice, bob, carol, drain_stream):
    knows(bob, alice)
    knows(carol, alice)
    chat_id = group_of(alice, bob, carol)
    say(alice, chat_id, "Seen")
    say(carol, chat_id, "Hidden")
    drain_stream()
    block(by=bob, user_id=carol.user_id)
    assert read_in_group(bob, chat_id)[-1] == "Seen"
    up_to = get_chat(bob, chat_id, consistent=True).newest
    read_messages(by=replace(bob, waiting=bell(bob)), chat_id=chat_id, up_to=up_to)
    assert badges(bob) == []
    assert broken_invariants() == {}


# Entries that have ended


def test_what_is_sent_shortly_before_their_entry_ends_is_in_their_list(
    known, alice, bob, drain_stream
):
    write(alice, bob, "One")
    drain_stream()
    ends(bob, known, timedelta(minutes=10))
    message = write(alice, bob, "Two").message
    assert entry_of(bob, known).ttl == message.ttl.replace(microsecond=0)
    drain_stream()
    assert badges(bob) == [alice.user_id]
    assert [one.last.text for one in list_chats(bob).items] == ["Two"]


def test_a_conversation_begins_anew_over_an_own_entry_that_has_ended(
    known, alice, bob, drain_stream
):
    write(alice, bob, "Unread")
    drain_stream()
    mute_chat(by=bob, chat_id=known, length="always")
    ends(bob, known)
    write(replace(bob, waiting=bell(bob)), alice, "Anew")
    entry = entry_of(bob, known)
    assert (entry.state, entry.came, entry.muted_until) == (State.IN, "", "")
    assert not list_chats(bob).items[0].is_new
    assert badges(bob) == []
    assert broken_invariants() == {}
    write(alice, bob, "Heard")
    drain_stream()
    assert badges(bob) == [alice.user_id]


def test_a_request_over_an_entry_that_has_ended_is_named_once(alice, bob, drain_stream):
    chat_id = keys.pair(alice.user_id, bob.user_id)
    for _again in range(2):
        write(alice, bob, "We met.")
        drain_stream()
        ends(bob, chat_id)
        ends(alice, chat_id)
    write(alice, bob, "We met.")
    drain_stream()
    assert (bell(bob).chats, bell(bob).chat_requests) == ((), (alice.user_id,))
    accept(bob, alice)
    assert badges(bob) == []
    assert broken_invariants() == {}


def test_who_may_write_no_more_at_once_asks_over_an_entry_that_has_ended(
    known, alice, bob, drain_stream
):
    write(alice, bob, "Unread")
    drain_stream()
    ends(bob, known)
    ends(alice, known)
    unfollow(by=bob, user_id=alice.user_id)
    write(alice, bob, "May I?")
    drain_stream()
    assert (bell(bob).chats, bell(bob).chat_requests) == ((), (alice.user_id,))
    assert broken_invariants() == {}


@pytest.mark.parametrize("answer", [accept_chat, refuse_chat])
def test_a_request_that_has_ended_cannot_be_answered(answer, alice, bob, drain_stream):
    write(alice, bob, "We met.")
    drain_stream()
    chat_id = keys.pair(alice.user_id, bob.user_id)
    ends(bob, chat_id)
    with pytest.raises(NotFound):
        answer(by=bob, chat_id=chat_id)


# Requests


def test_who_refused_and_then_writes_is_answered(alice, bob, drain_stream):
    write(alice, bob, "We met.")
    drain_stream()
    refuse_chat(by=bob, chat_id=keys.pair(alice.user_id, bob.user_id))
    with pytest.raises(CannotWrite):
        write(alice, bob, "Hello?")
    write(bob, alice, "Now I remember.")
    write(alice, bob, "Good.")
    drain_stream()
    assert texts(bob, alice) == ["We met.", "Now I remember.", "Good."]
    assert (bell(bob).chats, bell(bob).chat_requests) == ((alice.user_id,), ())
    assert broken_invariants() == {}


def test_who_is_asked_does_not_accept_by_choosing_days(alice, bob, drain_stream):
    write(alice, bob, "We met.")
    drain_stream()
    with pytest.raises(CannotWrite):
        choose_days(by=bob, chat_id=keys.pair(alice.user_id, bob.user_id), days=1)
    assert seen_by(bob, alice).standing.is_request


def test_a_message_to_someone_whose_bell_is_full_arrives(known, alice, bob, drain_stream):
    full = {ids.new_id() for _ in range(MOST_IN_BELL)}
    write(bob, alice, "One")
    drain_stream()
    rings = [Bell.user_id.set(bob.user_id), Bell.unseen.set({}), Bell.chats.set(full)]
    change(Bell, keys.bell(bob.user_id), rings, condition=Bell.pk.exists())
    write(alice, bob, "Two")
    drain_stream()
    assert set(badges(bob)) == full
    assert list_chats(bob).items[0].is_new
    assert texts(bob, alice) == ["One", "Two"]

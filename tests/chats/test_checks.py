"""What must always hold for private messages, how the audit says that it does not, and what puts it right."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts.models import Bell
from accounts.people.viewer import Viewer
from chats.models import Chat, ChatEntry, Message, State
from chats.own_entries.writes import save_chat_draft
from chats.writes import (
    accept_chat,
    delete_message,
    in_bell,
    read_messages,
    refuse_chat,
)
from privacy.erasure.writes import close_account
from relations.blocks.writes import block
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import Erase, Put, change, fetch, ids, keys, transact
from tests.chats.scenes import knows, write
from tests.chats.test_erasure import badges, group_of, say
from tests.chats.test_messages import bell
from tests.looks import broken_invariants

BADGE = "a badge leads to conversations with something unread"


@pytest.fixture
def written(alice, bob, carol, drain_stream) -> Message:
    """Bob has read nothing of alice yet, and carol asks him."""
    knows(bob, alice)
    message = write(alice, bob, "Tea?").message
    write(carol, bob, "We met.")
    drain_stream()
    assert set(badges(bob)) == {alice.user_id, carol.user_id}
    assert broken_invariants() == {}
    return message


def with_bell(one: Viewer) -> Viewer:
    return replace(one, waiting=bell(one))


def test_all_holds_through_everything_that_people_do(written, alice, bob, carol, drain_stream):
    steps = (
        lambda: read_messages(by=with_bell(bob), chat_id=written.chat_id, up_to=written.message_id),
        lambda: write(bob, alice, "Yes"),
        lambda: accept_chat(by=with_bell(bob), chat_id=keys.pair(bob.user_id, carol.user_id)),
        lambda: write(carol, bob, "Thanks"),
        lambda: write(bob, carol, "Without looking"),
        lambda: save_chat_draft(by=bob, chat_id=written.chat_id, text="And"),
        lambda: delete_message(by=alice, chat_id=written.chat_id, message_id=written.message_id),
        lambda: say(carol, group_of(carol, alice, bob), "All here?"),
        lambda: block(by=bob, user_id=alice.user_id),
        lambda: close_account(by=carol, at_once=True),
        do_due,
    )
    for step in steps:
        step()
        drain_stream()
        assert broken_invariants() == {}


@pytest.mark.parametrize("what", ["accepted", "refused"])
def test_an_answered_request_is_in_no_badge(written, bob, carol, drain_stream, what):
    answer = accept_chat if what == "accepted" else refuse_chat
    answer(by=with_bell(bob), chat_id=keys.pair(bob.user_id, carol.user_id))
    drain_stream()
    assert carol.user_id not in badges(bob)
    assert broken_invariants() == {}


def test_a_conversation_that_ended_unread_leaves_the_badge(written, alice, bob, drain_stream):
    transact(
        Erase(written.key), Erase(keys.chat_entry(bob.user_id, written.chat_id))
    )  # as TTL does
    assert list(broken_invariants()) == [BADGE]
    drain_stream()
    assert alice.user_id not in badges(bob)
    assert broken_invariants() == {}


def test_one_that_began_anew_meanwhile_stays_in_it(written, alice, bob, drain_stream):
    transact(Erase(keys.chat_entry(bob.user_id, written.chat_id)))
    write(alice, bob, "Still there?")
    drain_stream()
    assert alice.user_id in badges(bob)
    assert broken_invariants() == {}


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_a_block_takes_the_conversation_out_of_both_badges(
    written, alice, bob, drain_stream, blocker
):
    write(bob, alice, "Yes")
    drain_stream()
    assert badges(alice) == [bob.user_id]
    one, other = (alice, bob) if blocker == "alice" else (bob, alice)
    block(by=one, user_id=other.user_id)
    drain_stream()
    assert bob.user_id not in badges(alice)
    assert alice.user_id not in badges(bob)


def reconcile(drain: Callable[[], None]) -> None:
    drain.__self__.give_up()  # the stream is the command's meanwhile
    call_command("reconcile")


def ring(one: Viewer, name: str) -> None:
    change(Bell, keys.bell(one.user_id), [Bell.chats.add({name})])


def test_the_audit_names_what_is_broken(written, alice, bob, carol):
    ring(bob, ids.new_id())
    assert list(broken_invariants()) == [BADGE]


def test_of_what_was_read(written, alice, bob):
    entry = keys.chat_entry(bob.user_id, written.chat_id)
    change(ChatEntry, entry, [ChatEntry.read.set(written.message_id)])
    assert broken_invariants() == {BADGE: [f"{bob.user_id} {alice.user_id}"]}


def test_of_an_entry_that_names_someone_else(written, bob, carol):
    entry = keys.chat_entry(bob.user_id, written.chat_id)
    change(ChatEntry, entry, [ChatEntry.other_id.set(carol.user_id)])
    (rule,) = broken_invariants()
    assert rule.startswith("an entry of a conversation of two")


def test_of_a_group_of_eleven_and_a_third_person_between_two(written, alice):
    chat_id = ids.new_id()
    many = {ids.new_id() for _ in range(11)}
    transact(Put(Chat(*keys.chat(chat_id), chat_id=chat_id, members=many)))
    third = Chat(*keys.chat(written.chat_id), chat_id=written.chat_id, members={ids.new_id()})
    transact(Put(third))
    ((rule, found),) = broken_invariants().items()
    assert rule.startswith("a conversation has at most ten")
    assert set(found) == {chat_id, written.chat_id}


def test_of_a_message_that_never_ends_and_one_between_people_who_are_gone(written, alice):
    pair = keys.pair(ids.new_id(), ids.new_id())
    for chat_id, ends in ((pair, timedelta(days=1)), (written.chat_id, timedelta(days=400))):
        message = Message.new(
            chat_id=chat_id,
            message_id=ids.new_id(),
            author_id=alice.user_id,
            ttl=utc_now() + ends,
            line="begun",
        )
        transact(Put(message))
    assert set(broken_invariants()) == {
        "every message ends",
        "no message is left between two people who are gone",
    }


def test_reconcile_clears_a_badge_that_leads_nowhere(written, alice, bob, carol, drain_stream):
    ring(bob, ids.new_id())
    change(
        ChatEntry,
        keys.chat_entry(bob.user_id, written.chat_id),
        [ChatEntry.read.set(written.message_id)],
    )
    reconcile(drain_stream)
    assert badges(bob) == [carol.user_id]
    assert broken_invariants() == {}


def test_reconcile_notes_a_message_whose_record_was_lost(alice, bob, drain_stream):
    knows(bob, alice)
    write(alice, bob, "One")
    lost = write(alice, bob, "Two").message
    drain_stream()
    entry = keys.chat_entry(bob.user_id, lost.chat_id)
    unnoted = [ChatEntry.last.remove(), ChatEntry.last_by.remove(), ChatEntry.came.remove()]
    change(ChatEntry, entry, unnoted)
    change(Bell, keys.bell(bob.user_id), [Bell.chats.remove()])
    reconcile(drain_stream)
    found = fetch([entry], consistent=True)[entry]
    assert found["last"]["S"] == lost.message_id
    assert badges(bob) == [in_bell(bob.user_id, lost.chat_id)]


def test_reconcile_brings_no_badge_back_that_was_read_away(
    written, alice, bob, carol, drain_stream
):
    read_messages(by=with_bell(bob), chat_id=written.chat_id, up_to=written.message_id)
    reconcile(drain_stream)
    assert badges(bob) == [carol.user_id]
    raw = fetch([keys.chat_entry(bob.user_id, keys.pair(bob.user_id, carol.user_id))])
    assert [one["state"]["S"] for one in raw.values()] == [State.ASKED]

"""What is left of private messages when an account is erased: nothing that the person said, and nothing that names
them."""

import pytest

from accounts.encryption.person_keys import _open
from accounts.people.viewer import Viewer
from chats import erasure
from chats.kept import keep_message, list_kept
from chats.models import Chat, ChatEntry, State
from chats.own_entries.writes import save_chat_draft
from chats.reads import get_chat, get_message, list_chats
from chats.writes import choose_days, send_message
from privacy.erasure.reads import get_receipt
from privacy.erasure.writes import close_account
from socialsite.due.work import do_due
from socialsite.streams.worker import Worker
from socialsite.table import Erase, Put, fetch, ids, keys, query, transact
from tests.chats.scenes import knows, seen_by, write
from tests.privacy.lives import erase, kinds, naming, search

SECRET = "The heron sleeps at noon"


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


def keep(by: Viewer, other: Viewer, message_id: str) -> None:
    message, card = get_message(by, keys.pair(by.user_id, other.user_id), message_id)
    keep_message(by=by, message=message, body=card.body)


def group_of(founder: Viewer, *others: Viewer) -> str:
    """Makes a group as it is once all have joined."""
    chat_id, members = ids.new_id(), [founder, *others]
    chat = Chat(
        *keys.chat(chat_id),
        chat_id=chat_id,
        members={one.user_id for one in members},
        founder_id=founder.user_id,
    )
    first = ids.time_of(chat_id).replace(year=2100)
    entries = [
        ChatEntry.new(user_id=one.user_id, chat_id=chat_id, state=State.IN, ttl=first)
        for one in members
    ]
    transact(Put(chat), *map(Put, entries))
    return chat_id


def say(by: Viewer, chat_id: str, text: str) -> None:
    send_message(by=by, chat_id=chat_id, text=text, nonce=ids.new_id())


def kept_texts(viewer: Viewer) -> list[str]:
    return [one.text for one in list_kept(viewer).items]


def badges(one: Viewer) -> list[str]:
    bell = fetch([keys.bell(one.user_id)], consistent=True).get(keys.bell(one.user_id), {})
    return [*bell.get("chats", {}).get("SS", ()), *bell.get("chat_requests", {}).get("SS", ())]


def talk(alice: Viewer, bob: Viewer, carol: Viewer, worker: Worker) -> None:
    """Alice and bob write to each other and keep something, carol is asked, and bob has not read all."""
    knows(bob, alice)
    knows(alice, bob)
    said = write(alice, bob, SECRET).message
    answered = write(bob, alice, "At noon? Really?").message
    keep(bob, alice, said.message_id)
    keep(alice, bob, answered.message_id)
    write(alice, carol, SECRET)
    choose_days(by=bob, chat_id=said.chat_id, days=30)
    save_chat_draft(by=bob, chat_id=said.chat_id, text="And in")
    write(alice, bob, SECRET)
    worker.drain()


def test_nothing_is_left_that_names_the_person_or_holds_what_was_said_to_them(
    alice, bob, carol, worker
):
    talk(alice, bob, carol, worker)
    assert badges(bob) == badges(carol) == [alice.user_id]
    receipt_id = erase(alice, worker)
    assert badges(bob) == badges(carol) == []
    chat_types = {"Chat", "ChatEntry", "Message"}
    assert not kinds(naming(alice.user_id)) & chat_types
    assert [one for one in get_receipt(receipt_id).counts if one[0].startswith("Private")]
    search(receipt_id, worker)
    assert not kinds(naming(alice.user_id)) & {*chat_types, "KeptMessage", "Bell"}
    assert list_chats(bob).items == list_chats(carol, requests=True).items == []


def test_what_they_said_cannot_be_read_from_the_first_moment_on(alice, bob, carol, worker):
    talk(alice, bob, carol, worker)
    assert kept_texts(bob) == [SECRET]
    close_account(by=alice, at_once=True)
    do_due()  # the clock has begun, and the worker not yet
    _open.forget_all()  # a process knows a key for a minute
    assert len(naming(alice.user_id)) > 20
    assert not {one.text for one in seen_by(bob, alice).messages} & {SECRET}
    assert kept_texts(bob) == []


def test_what_the_person_kept_of_others_goes_and_what_others_keep_of_others_stays(
    alice, bob, carol, worker
):
    talk(alice, bob, carol, worker)
    knows(carol, bob)
    said = write(bob, carol, "Unheard of").message
    keep(carol, bob, said.message_id)
    search(erase(alice, worker), worker)
    assert list(query(keys.kept_messages(alice.user_id))) == []
    assert list(query(keys.kept_messages(bob.user_id))) == []
    assert kept_texts(carol) == ["Unheard of"]


def test_a_conversation_to_which_no_entry_leads_is_found_by_the_search(alice, bob, worker):
    knows(bob, alice)
    chat_id = write(alice, bob, SECRET).message.chat_id
    choose_days(by=alice, chat_id=chat_id, days=1)
    worker.drain()
    transact(Erase(keys.chat_entry(alice.user_id, chat_id)))
    receipt_id = erase(alice, worker)
    assert "Message" in kinds(naming(alice.user_id))
    search(receipt_id, worker)
    assert not kinds(naming(alice.user_id)) & {"Chat", "ChatEntry", "Message"}
    assert fetch([keys.chat_entry(bob.user_id, chat_id)]) == {}


@pytest.mark.parametrize("size", [1, 2, 25])
def test_many_messages_go_in_steps_of_which_each_may_be_taken_twice(
    alice, bob, worker, monkeypatch, size
):
    monkeypatch.setattr(erasure, "MESSAGES_AT_ONCE", size)
    knows(bob, alice)
    for number in range(5):
        write(alice, bob, f"{number}")
    worker.drain()
    search(erase(alice, worker), worker)
    assert list(query(keys.messages(keys.pair(alice.user_id, bob.user_id)))) == []
    assert list(query(keys.chat_entries(bob.user_id))) == []


@pytest.mark.parametrize("looked", [2, 3, 100])
def test_a_group_goes_on_without_them_and_their_messages(
    alice, bob, carol, worker, monkeypatch, looked
):
    monkeypatch.setattr(erasure, "LOOKED_AT_ONCE", looked)
    chat_id = group_of(bob, alice, carol)
    for number in range(3):
        say(alice, chat_id, f"{SECRET} {number}")
        say(bob, chat_id, f"Hm {number}")
        say(carol, chat_id, f"Aha {number}")
    worker.drain()
    receipt_id = erase(alice, worker)
    assert not kinds(naming(alice.user_id)) & {"Chat", "Message", "ChatEntry"}
    search(receipt_id, worker)
    left = [one.text for one in get_chat(carol, chat_id, consistent=True).messages]
    assert left == ["Hm 0", "Aha 0", "Hm 1", "Aha 1", "Hm 2", "Aha 2"]
    say(bob, chat_id, "Still here")


def test_a_group_whose_founder_is_erased_goes_to_another_without_its_name(alice, bob, worker):
    chat_id = group_of(alice, bob)
    say(bob, chat_id, "Hello?")
    worker.drain()
    search(erase(alice, worker), worker)
    chat = fetch([keys.chat(chat_id)], consistent=True)[keys.chat(chat_id)]
    assert chat["members"]["SS"] == [bob.user_id]
    assert chat["founder_id"]["S"] == bob.user_id
    assert "sealed_title" not in chat


def test_a_group_of_nobody_goes_as_a_whole(alice, bob, worker):
    chat_id = group_of(alice)
    say(alice, chat_id, SECRET)
    worker.drain()
    erase(alice, worker)
    assert fetch([keys.chat(chat_id)], consistent=True) == {}
    assert list(query(keys.messages(chat_id), consistent=True)) == []


def test_a_message_that_arrives_late_does_not_bring_a_conversation_back(alice, bob, worker):
    knows(bob, alice)
    write(alice, bob, SECRET)  # the worker has not seen it
    search(erase(alice, worker), worker)
    assert badges(bob) == []
    assert list(query(keys.chat_entries(bob.user_id))) == []

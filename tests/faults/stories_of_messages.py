"""Private messages, one person's and a group's: sent, accepted, deleted, and their badges."""

from accounts.people.viewer import Viewer, Waiting
from chats.groups.writes import accept_invitation, found_group
from chats.reads import get_chat
from chats.writes import accept_chat, choose_days, delete_message, send_message
from socialsite.table import fetch, ids, keys
from tests.chats.scenes import knows, texts, write
from tests.conftest import person
from tests.faults.looks import assert_all_is_well
from tests.faults.stories import Story, scenario


def bell(one: Viewer) -> Waiting:
    key = keys.bell(one.user_id)
    return Waiting.from_raw(fetch([key], consistent=True).get(key, {}))


@scenario()
def a_message_is_sent() -> Story:
    alice, bob = person("alice"), person("bob")
    knows(bob, alice)
    nonce = ids.new_id()

    def check() -> None:
        assert_all_is_well()
        assert texts(alice, bob) == texts(bob, alice) == ["Tea?"]
        assert bell(bob).chats == (alice.user_id,)
        assert bell(alice).chats == ()

    return Story(lambda: write(alice, bob, "Tea?", nonce=nonce), check)


@scenario()
def a_stranger_asks_to_write() -> Story:
    alice, bob = person("alice"), person("bob")
    nonce = ids.new_id()

    def check() -> None:
        assert_all_is_well()
        assert texts(bob, alice) == ["We met."]
        assert (bell(bob).chats, bell(bob).chat_requests) == ((), (alice.user_id,))

    return Story(lambda: write(alice, bob, "We met.", nonce=nonce), check)


@scenario()
def a_request_is_answered_by_writing() -> Story:
    alice, bob = person("alice"), person("bob")
    write(alice, bob, "We met.")
    nonce = ids.new_id()

    def check() -> None:
        assert_all_is_well()
        assert texts(alice, bob) == ["We met.", "I remember."]
        assert bell(alice).chats == (bob.user_id,)
        assert write(alice, bob, "Good.").message

    return Story(lambda: write(bob, alice, "I remember.", nonce=nonce), check)


@scenario()
def a_request_is_accepted() -> Story:
    alice, bob = person("alice"), person("bob")
    message = write(alice, bob, "We met.").message
    assert message

    def check() -> None:
        assert_all_is_well()
        assert write(alice, bob, "Thanks!").message

    return Story(lambda: accept_chat(by=bob, chat_id=message.chat_id), check)


@scenario()
def a_message_is_deleted_and_the_days_change() -> Story:
    alice, bob = person("alice"), person("bob")
    knows(bob, alice)
    message = write(alice, bob, "Oops").message
    assert message

    def act() -> None:
        delete_message(by=alice, chat_id=message.chat_id, message_id=message.message_id)
        choose_days(by=alice, chat_id=message.chat_id, days=1)

    def check() -> None:
        assert_all_is_well()
        found = get_chat(bob, message.chat_id, consistent=True)
        assert [(one.text, one.is_deleted, one.line) for one in found.messages] == [
            ("", True, ""),
            ("", False, "keep"),
        ]
        assert found.standing.keep_days == 1

    return Story(act, check)


@scenario()
def a_group_is_founded_entered_and_written_in() -> Story:
    alice, bob = person("alice"), person("bob")
    knows(bob, alice)
    chat_id, nonce = ids.new_id(), ids.new_id()

    def act() -> None:
        found_group(by=alice, chat_id=chat_id, title="Tea", invited=[bob.user_id])
        accept_invitation(by=bob, chat_id=chat_id)
        send_message(by=alice, chat_id=chat_id, text="Welcome", nonce=nonce)

    def check() -> None:
        assert_all_is_well()
        found = get_chat(bob, chat_id, consistent=True)
        assert [one.text or one.line for one in found.messages] == ["joined", "Welcome"]
        assert bell(bob).chats == (chat_id,)
        assert bell(bob).chat_requests == ()

    return Story(act, check)

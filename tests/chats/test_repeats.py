"""What happens twice, at once, or in another order than it should: no message is there twice, none is lost, and the
badge says what was not read."""

from contextvars import Context
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from chats.badges import note_for_others
from chats.models import Message
from chats.reads import list_chats
from chats.writes import delete_message, read_messages
from socialsite.table import ids, keys, query
from socialsite.table.reading import scan
from tests.chats.scenes import knows, texts, write
from tests.chats.test_erasure import badges
from tests.chats.test_messages import bell
from tests.together import meanwhile, together
from tests.web.html import Html


@pytest.fixture
def said(alice, bob, drain_stream) -> Message:
    knows(bob, alice)
    knows(alice, bob)
    return write(alice, bob, "Tea?").message


def reads(one, message: Message, up_to: str = "") -> None:
    one = replace(one, waiting=bell(one))
    read_messages(by=one, chat_id=message.chat_id, up_to=up_to or message.message_id)


def test_a_record_that_comes_again_brings_no_badge_back(said, bob, alice, drain_stream):
    drain_stream()
    assert badges(bob) == [alice.user_id]
    reads(bob, said)
    note_for_others(said)
    assert badges(bob) == []


def test_a_record_that_comes_after_its_message_was_read_rings_nothing(
    said, bob, alice, drain_stream
):
    reads(bob, said)
    drain_stream()
    assert badges(bob) == []
    assert [one.last.text for one in list_chats(bob).items] == ["Tea?"]  # and yet it has come


def test_records_in_the_other_order_leave_the_newest_as_the_last(said, alice, bob, drain_stream):
    later = write(alice, bob, "Or coffee?").message
    note_for_others(later)
    note_for_others(said)
    drain_stream()
    (entry,) = query(keys.chat_entries(bob.user_id))
    assert entry["last"]["S"] == entry["came"]["S"] == later.message_id


def test_what_comes_between_looking_and_reading_keeps_its_badge(said, alice, bob, drain_stream):
    drain_stream()

    def comes() -> None:
        note_for_others(write(alice, bob, "Or coffee?").message)

    with meanwhile(partial(Context().run, comes)):  # as another process, whose uses are not ours
        reads(bob, said)
    assert badges(bob) == [alice.user_id]


def test_a_read_mark_of_nonsense_reads_nothing_that_is_written_later(
    said, alice, bob, monkeypatch, drain_stream
):
    monkeypatch.setattr("chats.writes.CLOCKS_APART", timedelta(0))
    drain_stream()
    reads(bob, said, "7" + "Z" * 25)
    write(alice, bob, "Or coffee?")
    drain_stream()
    assert badges(bob) == [alice.user_id]


def test_the_same_form_of_two_windows_at_once_is_one_message(said, alice, bob):
    nonce = ids.new_id()
    together(*[lambda: write(alice, bob, "Once", nonce=nonce)] * 3)
    assert texts(bob, alice) == ["Tea?", "Once"]


def test_two_windows_at_once_send_both(said, alice, bob):
    together(lambda: write(alice, bob, "One"), lambda: write(alice, bob, "Two"))
    assert sorted(texts(bob, alice)) == ["One", "Tea?", "Two"]


def test_first_messages_of_both_at_the_same_moment_arrive(alice, bob, drain_stream):
    knows(bob, alice)
    knows(alice, bob)
    together(lambda: write(alice, bob, "Hi"), lambda: write(bob, alice, "Hello"))
    drain_stream()
    assert sorted(texts(alice, bob)) == sorted(texts(bob, alice)) == ["Hello", "Hi"]
    assert (badges(alice), badges(bob)) == ([bob.user_id], [alice.user_id])


def test_deleting_again_changes_nothing(said, alice, bob, drain_stream):
    for _time in range(2):
        delete_message(by=alice, chat_id=said.chat_id, message_id=said.message_id)
        drain_stream()
    assert texts(bob, alice) == [""]


def test_no_word_of_a_message_is_in_a_log_or_readable_in_the_table(
    alice, bob, drain_stream, log_in, caplog
):
    caplog.set_level("DEBUG")
    word = "zanzibarmarker"
    knows(bob, alice)
    form = {"content": word, "nonce": ids.new_id(), "to": bob.user_id}
    sent = log_in(alice).post("/messages/@bob", form)
    assert sent.status_code == 302
    drain_stream()
    client = log_in(bob)
    assert word in Html(client.get("/messages/@alice")).one("div", class_="bubble").text
    assert word not in client.get("/notifications").content.decode()
    assert word not in caplog.text
    assert word.encode() not in repr(list(scan())).encode()

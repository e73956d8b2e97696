"""What people take with them of private messages: all of their own words, and of others' what the pages show."""

import pytest

from accounts.people.viewer import Viewer
from chats import export
from chats.kept import keep_message
from chats.own_entries.writes import save_chat_draft
from chats.reads import get_message
from chats.writes import (
    choose_days,
    choose_who_writes,
    delete_message,
    refuse_chat,
)
from photos.reads import get_photos
from privacy.erasure.writes import close_account
from relations.blocks.writes import block
from socialsite.due.work import do_due
from socialsite.storages import FOLDER
from socialsite.table import keys
from tests.chats.scenes import accept, knows, write
from tests.chats.test_erasure import group_of, say
from tests.feed.scenes import photo
from tests.privacy.conftest import exports_folder, of_alice

__all__ = ["exports_folder", "of_alice"]  # fixtures


def said(unpacked) -> list[tuple[str, str]]:
    return [(one["author"]["handle"], one["text"]) for one in unpacked.items("messages")]


def keep(by: Viewer, other: Viewer, message_id: str) -> None:
    message, card = get_message(by, keys.pair(by.user_id, other.user_id), message_id)
    keep_message(by=by, message=message, body=card.body)


def test_own_and_received_messages_with_who_when_and_what(alice, bob, of_alice, drain_stream):
    knows(bob, alice)
    first = write(alice, bob, "Tea?").message
    second = write(
        bob, alice, "Yes, @alice", mentions={"alice": alice.user_id}, answers=first.message_id
    )
    unpacked = of_alice()
    assert said(unpacked) == [("alice", "Tea?"), ("bob", "Yes, @alice")]
    answer = unpacked.items("messages")[1]
    assert answer["answers"] == first.message_id
    assert answer["mentions"] == {"alice": alice.user_id}
    assert [one["handle"] for one in answer["with"]] == ["bob"]
    assert answer["disappears_at"] == second.message.ttl.isoformat(timespec="seconds")
    assert "Yes, @alice" in unpacked.text("lists/messages.html")
    (conversation,) = unpacked.items("conversations")
    assert conversation["state"] == "in"


def test_a_request_is_in_it_and_what_was_refused_is_not(alice, bob, carol, of_alice, drain_stream):
    write(bob, alice, "We met.")
    write(carol, alice, "Buy this.")
    refuse_chat(by=alice, chat_id=keys.pair(alice.user_id, carol.user_id))
    unpacked = of_alice()
    assert said(unpacked) == [("bob", "We met.")]
    assert {one["state"] for one in unpacked.items("conversations")} == {"asked", "refused"}


def test_of_a_blocked_conversation_the_own_words_alone(alice, bob, of_alice, drain_stream):
    knows(bob, alice)
    write(alice, bob, "Mine")
    write(bob, alice, "His")
    block(by=bob, user_id=alice.user_id)
    assert said(of_alice()) == [("alice", "Mine")]


def test_of_someone_who_is_leaving_the_own_words_alone(alice, bob, of_alice, drain_stream):
    knows(bob, alice)
    write(alice, bob, "Mine")
    write(bob, alice, "His")
    drain_stream()
    close_account(by=bob)
    assert said(of_alice()) == [("alice", "Mine")]


def test_nothing_that_has_ended_or_was_deleted(alice, bob, of_alice, drain_stream):
    knows(bob, alice)
    gone = write(bob, alice, "Oops").message
    delete_message(by=bob, chat_id=gone.chat_id, message_id=gone.message_id)
    accept(alice, bob)
    choose_days(by=alice, chat_id=gone.chat_id, days=1)
    write(bob, alice, "Until tomorrow")
    assert said(of_alice()) == [("bob", "Until tomorrow")]


def test_messages_past_their_end_are_left_out(alice, bob, drain_stream, monkeypatch):
    knows(bob, alice)
    message = write(bob, alice, "Until tomorrow").message
    entry = export.next_entry(alice.user_id, "")
    assert len(export.take_chat(alice, entry).messages) == 1
    late = message.ttl.timestamp()
    monkeypatch.setattr("socialsite.table.reading.time.time", lambda: late)
    assert export.take_chat(alice, entry).messages == []
    assert export.next_entry(alice.user_id, "") is None


def test_kept_messages_drafts_and_choices(alice, bob, of_alice, drain_stream):
    knows(bob, alice)
    kept = write(bob, alice, "Remember this").message
    keep(alice, bob, kept.message_id)
    save_chat_draft(by=alice, chat_id=kept.chat_id, text="I will")
    choose_who_writes(by=alice, writers="friends", hides_seen=True)
    unpacked = of_alice()
    (one,) = unpacked.items("kept-messages")
    assert (one["author"]["handle"], one["text"]) == ("bob", "Remember this")
    assert unpacked.items("conversations")[0]["draft"] == "I will"
    profile = unpacked.items("profile")[0]
    assert (profile["who_can_write"], profile["shows_seen"]) == ("friends", False)


@pytest.mark.parametrize("size", [1, 2, 200])
def test_long_conversations_are_read_piece_by_piece(
    alice, bob, carol, of_alice, drain_stream, monkeypatch, size
):
    monkeypatch.setattr(export, "MESSAGES_AT_ONCE", size)
    for other in (bob, carol):
        knows(other, alice)
        for number in range(3):
            write(alice, other, f"To {other.card.handle} {number}")
    texts = [text for _, text in said(of_alice())]
    assert sorted(texts) == [f"To {name} {n}" for name in ("bob", "carol") for n in range(3)]
    assert texts[0][:6] == texts[2][:6]  # one conversation after the other


def test_of_a_group_what_members_read_and_nothing_after_one_has_left(
    alice, bob, carol, of_alice, drain_stream
):
    chat_id = group_of(bob, alice, carol)
    say(alice, chat_id, "Mine")
    say(carol, chat_id, "Hers")
    block(by=bob, user_id=alice.user_id)
    say(bob, chat_id, "His")
    unpacked = of_alice()
    assert said(unpacked) == [("alice", "Mine"), ("carol", "Hers")]
    (conversation,) = unpacked.items("conversations")
    assert conversation["is_group"]
    assert {one["handle"] for one in conversation["with"]} == {"bob", "carol"}


def test_no_step_of_the_worker_holds_words(alice, bob, drain_stream, exports_folder):
    """They are in the zip alone, which the clock makes: the worker may not read keys."""
    from tests.privacy.lives import ask_for_export_of

    knows(bob, alice)
    write(bob, alice, "Nobody else's")
    ask_for_export_of(alice)
    drain_stream()
    parts = [file.read_bytes() for file in exports_folder.rglob("*") if file.is_file()]
    assert parts
    assert not [part for part in parts if b"Nobody else" in part]
    do_due()
    assert [file.name for file in exports_folder.rglob("*.zip")]


def test_photos_of_messages_by_id_and_description(
    alice, bob, of_alice, drain_stream, settings, tmp_path
):
    settings.STORAGES = settings.STORAGES | {
        "photos": {"BACKEND": FOLDER, "OPTIONS": {"location": tmp_path / "photos"}}
    }
    knows(bob, alice)
    knows(alice, bob)
    for by, other in ((alice, bob), (bob, alice)):
        (shown,) = get_photos(by, [photo(by)])
        write(by, other, "", photos=[shown], descriptions={shown.photo_id: "A lake"})
    unpacked = of_alice()
    mine, his = (one["photos"] for one in unpacked.items("messages"))
    assert [one["description"] for one in (*mine, *his)] == ["A lake", "A lake"]
    assert f"media/photos/{mine[0]['id']}.webp" in unpacked.names

"""Copies of the table and of its items: a backup that is restored, data of earlier code, new keys, the archive, and a
model for NoSQL Workbench. Messages come back with their end, and nowhere with words that could be read."""

import json

import pytest
from django.core.management import call_command

from accounts.encryption.person_keys import _open
from chats.kept import keep_message, list_kept
from chats.models import ChatEntry, KeptMessage, Message
from chats.own_entries.writes import save_chat_draft
from chats.reads import get_chat, get_message, list_chats
from socialsite.streams.worker import Worker
from socialsite.table import RawItem, fetch, key_of, keys, write_batch
from socialsite.table.connection import disconnect
from socialsite.table.reading import scan
from tests.accounts.scenes import make_from_before
from tests.chats.scenes import accept, knows, texts, write
from tests.chats.test_erasure import badges
from tests.looks import broken_invariants
from tests.streams.records import archived, own_archive

WORDS = "Meet me at the lighthouse"
DAY = 86_400


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


@pytest.fixture
def said(alice, bob, worker) -> Message:
    """Alice wrote to Bob, who has not read it; she keeps what he wrote before, and has begun another message."""
    knows(bob, alice)
    first = write(bob, alice, f"{WORDS}?").message
    message, card = get_message(alice, first.chat_id, first.message_id)
    keep_message(by=alice, message=message, body=card.body)
    said = write(alice, bob, WORDS).message
    save_chat_draft(by=alice, chat_id=said.chat_id, text=f"{WORDS}!")
    worker.drain()
    return said


def copy_of_the_table() -> list[RawItem]:
    return list(scan())


def restore(copy: list[RawItem], *, days_later: int = 0) -> None:
    """Empties the table, and puts the items back, so many days older."""
    write_batch(deletes=[key_of(raw) for raw in scan()])
    for raw in copy:
        if "ttl" in raw:
            raw["ttl"] = {"N": str(int(raw["ttl"]["N"]) - days_later * DAY)}
    write_batch(puts=copy)
    _open.forget_all()


def test_a_restored_copy_has_messages_with_their_end(said, alice, bob, worker):
    copy = copy_of_the_table()
    assert WORDS.encode() not in repr(copy).encode()
    restore(copy)
    assert texts(bob, alice) == [f"{WORDS}?", WORDS]
    raw = fetch([said.key])[said.key]
    assert int(raw["ttl"]["N"]) == int(said.ttl.timestamp())
    assert badges(bob) == [alice.user_id]
    assert broken_invariants() == {}
    write(bob, alice, "I am back.")
    worker.drain()
    assert texts(alice, bob)[-1] == "I am back."


def test_what_has_ended_since_does_not_come_back_and_neither_does_its_badge(
    said, alice, bob, worker
):
    restore(copy_of_the_table(), days_later=8)
    assert texts(bob, alice) == []
    assert list_chats(bob).items == []
    assert [one.text for one in list_kept(alice).items] == [f"{WORDS}?"]  # kept for good
    worker.give_up()
    call_command("reconcile")
    assert badges(bob) == []
    assert broken_invariants() == {}


def test_an_upgrade_of_earlier_data_leaves_messages_as_they_are(said, alice, bob, worker, capsys):
    worker.give_up()
    before = fetch([said.key], consistent=True)
    call_command("upgrade")
    assert fetch([said.key], consistent=True) == before
    assert broken_invariants() == {}
    assert texts(bob, alice) == [f"{WORDS}?", WORDS]


def test_someone_from_before_there_were_keys_can_write_and_be_read(alice, bob, worker):
    make_from_before(alice)
    knows(bob, alice)
    write(alice, bob, WORDS)
    assert texts(bob, alice) == [WORDS]


def test_under_a_new_data_key_all_is_readable(said, alice, bob, worker, settings, capsys):
    worker.give_up()
    old, settings.DATA_KEY = settings.DATA_KEY, "another data key that is long enough as well"
    settings.DATA_KEY_FALLBACKS = [old]
    disconnect()
    call_command("reencrypt")
    settings.DATA_KEY_FALLBACKS = []
    _open.forget_all()
    assert texts(bob, alice) == [f"{WORDS}?", WORDS]
    assert [one.text for one in list_kept(alice).items] == [f"{WORDS}?"]
    assert get_chat(alice, said.chat_id).draft == f"{WORDS}!"


def test_the_archive_gets_nothing_of_messages(said, alice, bob, worker, settings, tmp_path):
    own_archive(settings, tmp_path)
    ours = [
        raw
        for raw in scan()
        if raw["type"]["S"] in (Message.__name__, ChatEntry.__name__, KeptMessage.__name__)
    ]
    assert len(ours) == 5
    write_batch(deletes=map(key_of, ours))
    for raw in ours:
        raw["ttl"] = {"N": "1600000000"}
    write_batch(puts=ours)
    write_batch(deletes=map(key_of, ours))  # past their ttl, which is how it looks when TTL does it
    worker.drain()
    assert archived() == []


def test_a_model_for_workbench_has_no_words(said, alice, bob, carol, worker, tmp_path, capsys):
    write(carol, bob, WORDS)
    accept(bob, carol)
    file = tmp_path / "model.json"
    call_command("workbench", "export", str(file), "--sample", "1000000")
    text = file.read_text()
    assert WORDS not in text
    facets = {
        one["FacetName"]: one["TableData"]
        for one in json.loads(text)["DataModel"][0]["TableFacets"]
    }
    assert len(facets["Message"]) == 3
    assert not [one for one in facets["Message"] if "sealed" in str(one) or "body" in one]
    assert not [one for one in facets["ChatEntry"] if "draft" in one]
    assert "KeptMessage" not in facets
    raws = [dict(raw) for raw in scan() if raw["type"]["S"] == Message.__name__]
    write_batch(puts=[{k: v for k, v in raw.items() if "B" not in v} for raw in raws])
    assert len(texts(bob, alice)) == 2  # as of an import: there, and unreadable
    assert fetch([keys.person_key(alice.user_id)])

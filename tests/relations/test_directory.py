"""The directory has everyone under what they are called now: folded, from each word on, kept by the stream worker."""

import pytest

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.profile.writes import edit_profile
from relations.directory import LONGEST, WORDS
from relations.models import DirectoryEntry
from socialsite.streams.change import dead_letter_of, type_of
from socialsite.streams.dispatch import redrive
from socialsite.streams.worker import Worker
from socialsite.table import change, create, keys, row, write_batch
from socialsite.table.reading import scan
from socialsite.texts.folding import fold
from tests.conftest import person
from tests.streams.records import handle_all, unread

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def listed(who: Viewer) -> dict[str, set[str]]:
    """What someone is found by, with the partitions that say so."""
    found: dict[str, set[str]] = {}
    for raw in scan():
        entry = row(DirectoryEntry, raw)
        if entry.user_id == who.user_id and entry.folded:
            found.setdefault(entry.folded, set()).add(entry.pk)
    return found


def rename(who: Viewer, name: str) -> None:
    edit_profile(by=who, name=name, bio="", location="")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Zoë MÜLLER", "zoe muller"),
        ("Łukasz Ørsted", "lukasz orsted"),
        ("straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("ｚｏｅ", "zoe"),
        ("Ёлка Йод", "елка иод"),
        ("Ελένη", "ελενη"),
        ("陈晓明", "陈晓明"),
        ("สมชาย ใจดี", "สมชาย ใจดี"),
        ("आदित्य", "आदित्य"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("  O'Brien-Smith  (Jo) ", "o brien smith jo"),
        ("@alice_b", "alice_b"),
        ("🌊 Mia 🎺", "mia"),
        ("🌊", ""),
        ("\x00\u200b", ""),
    ],
)
def test_names_are_folded_so_that_accents_case_and_width_do_not_matter(text, folded):
    assert fold(text) == folded
    assert fold(folded) == folded


def test_a_half_typed_korean_syllable_begins_the_whole_one():
    assert fold("한국").startswith(fold("하"))


def test_a_newcomer_is_listed_by_handle_and_by_each_word_of_the_name(table, drain_stream):
    dora = person("dora", "Dora Díaz")
    assert listed(dora) == {}
    drain_stream()
    assert set(listed(dora)) == {"dora", "dora diaz", "diaz"}


def test_an_entry_stands_where_one_letter_and_where_two_are_looked_for(carol, drain_stream):
    drain_stream()
    assert listed(carol)["carol 陈"] == {keys.directory("c"), keys.directory("ca")}
    assert listed(carol)["陈"] == {keys.directory("陈")}


def test_long_names_are_listed_by_their_first_words_and_cut(alice, drain_stream):
    rename(alice, "One Two Three Four Five Six")
    drain_stream()
    assert len(listed(alice)) == 1 + WORDS
    assert "five six" not in listed(alice)
    rename(alice, "W" * 50)
    drain_stream()
    assert set(listed(alice)) == {"alice", "w" * LONGEST}


def test_who_is_renamed_leaves_the_old_names(alice, drain_stream):
    drain_stream()
    rename(alice, "Alice Bäcker")
    drain_stream()
    assert set(listed(alice)) == {"alice", "alice backer", "backer"}


def test_names_that_change_back_and_forth_end_with_the_last(alice, drain_stream):
    drain_stream()
    for name in ("Ada", "Bea", "Ada", "Cleo", "Ada"):
        rename(alice, name)
    drain_stream()
    assert set(listed(alice)) == {"alice", "ada"}


def test_who_is_gone_is_listed_no_more(alice, bob, drain_stream):
    drain_stream()
    write_batch(deletes=[keys.user_info(alice.user_id)])
    drain_stream()
    assert listed(alice) == {}
    assert listed(bob)


def test_records_handled_twice_and_late_leave_what_the_info_says(alice, drain_stream):
    rename(alice, "Ada")
    rename(alice, "Bea")
    records = unread()
    drain_stream()
    for _ in range(2):
        handle_all(records)
        assert set(listed(alice)) == {"alice", "bea"}


@capacity
def test_listing_costs_one_read_and_one_transaction_and_the_rest_of_a_profile_nothing(
    table, measure
):
    worker = Worker()
    dora = person("dora", "One Two Three Four Five")
    with measure() as meter:
        worker.drain()
    calls = [(call.operation, call.units) for call in meter.calls]
    read = calls.index(("BatchGetItem", 1))
    assert calls[read + 1] == ("TransactWriteItems", 22)  # ten entries and the lease's check
    edit_profile(by=dora, bio="New words")
    with measure() as meter:
        worker.drain()
    assert not [call for call in meter.calls if call.operation.startswith("Batch")]


def test_a_parked_record_which_keeps_no_names_lists_the_present_one(alice):
    rename(alice, "Ada")
    for record in unread():
        if type_of(record) == UserInfo.__name__:
            letter = dead_letter_of(record, shard_id="one", error=ValueError())
            create(letter)
            assert redrive(letter)
    assert set(listed(alice)) == {"alice", "ada"}


def test_other_changes_of_the_info_write_no_entries(alice, drain_stream):
    drain_stream()
    write_batch(deletes=[keys.directory_entry("al", "alice", alice.user_id)])
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.location.set("Leipzig")])
    drain_stream()
    assert listed(alice)["alice"] == {keys.directory("a")}

"""The index of words: what it costs, what a common word does to it, that the audit sees what is wrong in it."""

import pytest

from finding import writes
from finding.checks import WordInvariants, mend_words
from finding.models import WordEntry, WordUse
from finding.stream_handlers import index_words
from socialsite.streams.change import Change
from socialsite.streams.ledger import Ledger
from socialsite.table import Item, keys, reading, write_batch
from tests.conftest import person, post
from tests.finding.test_finding_posts import entries, found

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


def audit() -> dict[str, list[str]]:
    invariants = WordInvariants()
    for raw in reading.scan():
        invariants.add(Item.from_raw_data(raw))
    return {name: wrong for name, wrong in invariants.results().items() if wrong}


def stored(name: str) -> list[reading.RawItem]:
    return [raw for raw in reading.scan() if raw["type"]["S"] == name]


def test_the_handler_run_twice_changes_nothing(alice, drain_stream):
    post(alice, "soup and salad")
    drain_stream()
    (raw,) = stored("Post")
    index_words(Change("INSERT", None, Item.from_raw_data(raw), "1"), Ledger())
    assert sorted(entries()) == ["salad", "soup"]
    assert audit() == {}


def test_the_audit_sees_lost_and_left_entries_and_reconcile_mends_them(alice, drain_stream):
    post(alice, "soup and salad")
    drain_stream()
    left = Item.from_raw_data(stored("WordEntry")[0])
    assert isinstance(left, WordEntry)
    write_batch(deletes=[left.key])
    assert audit()
    left.sk = keys.pointer("01" + "0" * 24, alice.user_id)
    left.post_id = "01" + "0" * 24
    write_batch(puts=[left])
    assert audit()
    assert mend_words(stored("Post"), stored("WordEntry")) == 2
    assert audit() == {}


def test_a_word_of_a_raid_gets_no_more_entries_that_day_and_the_page_says_so(
    alice, drain_stream, monkeypatch, client
):
    monkeypatch.setattr(writes, "NOTED", 2)
    monkeypatch.setattr(writes, "MOST_A_DAY", 4)
    for number in range(7):
        post(alice, f"raid number{number}")
    drain_stream()
    assert entries().count("raid") == 3  # the fourth notes the use
    assert sum(word.startswith("number") for word in entries()) == 7
    assert len(stored(WordUse.__name__)) == 1
    assert audit() == {}
    assert len(found("raid number6")) == 1
    assert "not every one of them" in client.get("/search?tab=posts&q=raid").content.decode()


@capacity
@pytest.mark.parametrize(
    ("text", "most"), [("soup", 45), ("soup salad", 60), ("soup salad bread", 60)]
)
def test_a_page_of_twenty_hits_keeps_to_its_calls_and_units(
    alice, log_in, drain_stream, requests_of, text, most
):
    for number in range(21):
        post(person(f"author{number}"), "soup and salad with bread")
    drain_stream()
    browser = log_in(alice)
    with requests_of() as requests:
        assert len(found(text, browser)) == 20
    assert len(requests.operations) <= 5
    assert sum(requests.units) <= most

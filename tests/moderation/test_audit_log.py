"""The audit log cannot be changed unseen: whatever is done to an entry, `audit_log verify` names the place."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from moderation.log.chain import Walk, read_head
from moderation.log.writes import hash_of, record
from moderation.models import AuditEntry
from socialsite.table import keys, query, reading
from tests.injected.rotation import share
from tests.moderation.tampering import (
    ENTRIES,
    drop,
    faults,
    fill_log,
    put,
    raw_entry,
    raw_head,
    this_month,
)


@pytest.fixture
def log(mod):
    fill_log(by=mod)


def test_a_log_that_nobody_touched_is_whole(log, capsys):
    call_command("audit_log", "verify")
    assert capsys.readouterr().out == f"The audit log is whole: {read_head()}\n"


def test_an_empty_log_is_whole(table):
    assert faults() == []


@pytest.mark.parametrize(
    "altered",
    [
        {"moderator_id": {"S": "somebody else"}},
        {"action": {"S": "note"}},
        {"case": {"S": "person-Y"}},
        {"case": {"S": ""}},
        {"person_id": {"S": "Y"}},
        {"at": {"S": "2026-01-01T00:00:00+00:00"}},
        {"detail": {"S": '{"until": "2028"}'}},
        {"detail": {"S": "no JSON"}},
        {"previous": {"S": "0" * 64}},
        {"hash": {"S": "0" * 64}},
        {"number": {"N": "99"}},
        {"number": {"S": "1"}},
        {"type": {"S": "CaseNote"}},
        {"ttl": {"N": "9999999999"}},
        {"ttl": {"N": "1"}},
        {"remark": {"S": "anything"}},
    ],
    ids=lambda altered: "-".join(f"{name}={value}" for name, value in altered.items()),
)
def test_each_altered_entry_is_found(log, altered):
    """Two entries of the twelve, other ones each run; all of them with `FAULTS=long`."""
    for number in share(range(1, ENTRIES + 1), one_of=6, salt=f"altered {altered}"):
        as_written = raw_entry(number)
        put(as_written | altered)
        assert len(faults()) == 1
        put(as_written)
    assert faults() == []


@pytest.mark.parametrize(
    "added",
    [{"case": {"S": ""}}, {"person_id": {"S": ""}}, {"detail": {"S": "{}"}}, {"detail": {"S": ""}}],
)
def test_an_empty_attribute_that_was_added_is_found(mod, added):
    record(by=mod.user_id, action="change settings")
    put(raw_entry(1) | added)
    assert len(faults()) == 1


def test_an_altered_entry_is_named_in_one_line(log, capsys):
    put(raw_entry(7) | {"moderator_id": {"S": "somebody else"}})
    with pytest.raises(CommandError) as error:
        call_command("audit_log", "verify")
    assert error.value.returncode == 1
    said = capsys.readouterr().out
    assert said == f"{this_month()}, number 7: altered: its hash does not fit what it says\n"


@pytest.mark.parametrize("left_out", ["case", "person_id", "detail", "action", "previous"])
def test_each_attribute_that_is_taken_away_is_found(log, left_out):
    put({name: value for name, value in raw_entry(2).items() if name != left_out})
    assert faults()


def test_each_dropped_entry_is_found(log):
    for number in range(1, ENTRIES + 1):
        as_written = raw_entry(number)
        drop(number)
        assert len(faults()) == 1
        put(as_written)


def test_several_dropped_ones_are_one_line(log):
    drop(4, 5, 6)
    assert faults() == [f"{this_month()}, number 7: dropped before it: numbers 4 to 6"]


def test_two_entries_that_changed_places_are_found(log):
    for number in range(1, ENTRIES):
        one, other = raw_entry(number), raw_entry(number + 1)
        put(other | {"SK": one["SK"]})
        put(one | {"SK": other["SK"]})
        assert faults()
        put(one)
        put(other)


def test_two_that_changed_places_with_their_numbers_are_found(log):
    one, other = raw_entry(5), raw_entry(6)
    put(other | {"SK": one["SK"], "number": one["number"]})
    put(one | {"SK": other["SK"], "number": other["number"]})
    assert faults()


def test_an_entry_that_stands_under_another_key_is_found_though_the_order_is_the_same(log):
    entry = raw_entry(5)
    drop(5)
    put(entry | {"SK": {"S": f"{entry['SK']['S']}+"}})
    assert "altered or moved: it says that it is number 5" in faults()[0]


def test_a_second_chain_in_another_month_is_found(log, mod):
    old = raw_entry(9)
    put(raw_head() | {"number": old["number"], "hash": old["hash"], "month": {"S": "2099-01"}})
    record(by=mod.user_id, action="warn")
    assert faults()[0] == "2099-01, number 10: forked: there was a number 10 before"


def test_an_entry_that_stands_twice_is_found(log):
    put(raw_entry(5) | {"SK": {"S": keys.audit_entry(this_month(), ENTRIES + 1).sk}})
    assert faults()


def test_an_entry_that_stands_in_another_month_too_is_found(log):
    put(raw_entry(5) | {"PK": {"S": keys.audit_entries("2025-06")}})
    assert faults()


def test_a_second_chain_written_over_the_first_is_found(log, mod):
    kept = {number: raw_entry(number) for number in range(5, ENTRIES + 1)}
    old = raw_entry(4)
    put(raw_head() | {"number": old["number"], "hash": old["hash"]})
    drop(*kept)
    for _ in kept:
        record(by=mod.user_id, action="dismiss")
    assert faults() == []  # by someone who can have the site write; so the operator's note tells
    noted = f"{ENTRIES}:{kept[ENTRIES]['hash']['S']}"
    assert faults(noted) == [
        f"{this_month()}, number {ENTRIES}: written anew: another hash was noted"
    ]
    put(kept[8])
    assert f"{this_month()}, number 8: forked: it does not follow number 7" in faults()


def test_an_entry_without_the_key_cannot_be_made(log, settings):
    true_key = settings.DATA_KEY
    settings.DATA_KEY = "guessed"
    last = raw_entry(ENTRIES)
    forged = reading.as_model(AuditEntry, last | {"action": {"S": "note"}})
    forged.hash = hash_of(forged)
    put(forged.serialize())
    put(raw_head() | {"hash": {"S": forged.hash}})
    settings.DATA_KEY = true_key
    assert len(faults()) == 1


def test_the_hash_does_not_depend_on_the_order_of_json_keys(log):
    raw = raw_entry(2)
    assert raw["detail"]["S"].startswith('{"until"')
    put(raw | {"detail": {"S": '{ "posts": ["B", "A"], "until": "2027" }'}})
    assert faults() == []
    put(raw | {"detail": {"S": '{"posts": ["A", "B"], "until": "2027"}'}})
    assert len(faults()) == 1


def test_a_log_over_several_months_is_whole_although_a_clock_was_behind(log, mod):
    put(raw_head() | {"month": {"S": "2099-01"}})  # by a machine whose clock was ahead
    record(by=mod.user_id, action="warn")
    assert [raw["at"]["S"] for raw in query(keys.audit_entries("2099-01"))] == [
        "2099-01-01T00:00:00+00:00"
    ]
    assert faults() == []


def test_what_is_entered_while_the_walk_goes_on_is_looked_at_too(log, mod):
    walk = Walk()
    for step, _ in enumerate(walk.steps()):
        if step < 3:
            record(by=mod.user_id, action="warn")
    assert walk.faults == []
    assert walk.number == ENTRIES + 3


def test_verifying_costs_a_query_a_month_two_reads_of_the_head_and_one_of_earlier_keys(
    log, measure
):
    with measure() as meter:
        assert faults() == []
    year, month = map(int, this_month().split("-"))
    months = (year - 2025) * 12 + month
    assert len(meter.calls) == months + 3

"""The audit log: never changed unseen, and what the documents in deploy/iam deny to whoever might."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.permissions import Permission
from moderation.cases.effects import undo_action
from moderation.cases.reads import read_case
from moderation.cases.writes import add_note, answer_appeal, appeal, assign_case
from moderation.log.chain import Walk, read_head
from moderation.log.writes import hash_of, record
from moderation.models import ActionKind, AuditEntry
from moderation.rules.writes import save_settings
from moderation.staff.writes import give_role, make_role, remove_role
from socialsite.table import keys, query, reading
from socialsite.table.connection import client, connection
from tests.conftest import post
from tests.iam.policy import Use, is_allowed, is_denied, uses_of
from tests.iam.recorder import ROLES
from tests.injected.faults import share
from tests.moderation.cases import about, decide, logged, report
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


# The documents in deploy/iam deny nothing that the staff do, and whatever would change an entry of the audit log.

AUDIT_KEYS = "audit#*"
WRITES = {"BatchWriteItem", "DeleteItem", "PutItem", "UpdateItem"}


@pytest.fixture
def asked(table) -> Iterator[list[Use]]:
    """Everything that the test asks of the table, as if the web did."""
    found: list[Use] = []

    def note(params: dict[str, Any], model: Any, **_: Any) -> None:
        if not model.name.startswith("Describe"):
            found.extend(uses_of("web", "dynamodb", model.name, params))

    connection()
    events = client().meta.events
    events.register("provide-client-params.dynamodb", note)
    yield found
    events.unregister("provide-client-params.dynamodb", note)


def test_nothing_that_the_staff_do_is_denied(alice, bob, mod, admin, asked):
    post_id = post(alice)
    report(bob, alice, post_id, rule_id="spam")
    assign_case(by=mod, case_id=about(alice), moderator_id=mod.user_id)
    add_note(by=mod, case_id=about(alice), text="Again")
    decide(mod, about(alice), ActionKind.HIDE, post_id, keep_open=True)
    action_id = decide(mod, about(alice), ActionKind.FREEZE)
    appeal(person_id=alice.user_id, action_id=action_id, text="Please")
    answer_appeal(
        by=admin,
        case_id=about(alice),
        action_id=action_id,
        text="Yes",
        version=int(read_case(about(alice)).version),
        grant=True,
    )
    other = decide(mod, about(alice), ActionKind.WARN)
    undo_action(by=mod, case_id=about(alice), action_id=other)
    make_role(by=admin, title="Greeter", permissions=[Permission.LOG])
    give_role(by=admin, user_id=bob.user_id, role="greeter")
    give_role(by=admin, user_id=bob.user_id, role="")
    remove_role(by=admin, name="greeter")
    save_settings(by=admin, values={"banner": "Hello"})
    entered = [use for use in asked if use.key_shape == AUDIT_KEYS and use.action in WRITES]
    assert len(entered) == len(logged()) == 12
    assert set(entered) == {Use("web", "table", AUDIT_KEYS, True, "PutItem")}
    assert [str(use) for use in asked if is_denied(use)] == []


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", ["UpdateItem", "DeleteItem"])
@pytest.mark.parametrize("in_transaction", [False, True])
def test_changing_an_entry_is_denied_also_within_a_transaction(role, action, in_transaction):
    assert not is_allowed(Use(role, "table", AUDIT_KEYS, in_transaction, action))


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", ["PutItem", "BatchWriteItem"])
def test_a_put_outside_a_transaction_and_a_batch_are_denied(role, action):
    assert not is_allowed(Use(role, "table", AUDIT_KEYS, False, action))


@pytest.mark.parametrize("role", ROLES)
def test_every_role_may_continue_the_log(role):
    assert not is_denied(Use(role, "table", "audit", True, "UpdateItem"))
    assert not is_denied(Use(role, "table", AUDIT_KEYS, True, "PutItem"))

"""The audit log is written with what it tells of, or not at all, and says where it ends."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import UserInfo
from moderation.cases.decisions import Decision, decide_case
from moderation.cases.reads import CaseId
from moderation.cases.writes import add_note
from moderation.log.chain import Walk, read_head
from moderation.log.writes import record, record_with
from moderation.models import ActionKind, AuditHead, CaseKind, CaseNote
from moderation.reports.writes import file_report
from socialsite.clock import utc_now_iso
from socialsite.table import AlreadyExists, Change, Create, NotFound, change, keys, query, transact
from socialsite.table.connection import client, table_name
from socialsite.table.transport.requests import wire
from tests.conftest import person
from tests.injected.faults import IS_LONG
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

TIMES = 200 if IS_LONG else 40
at_once = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


def walk() -> Walk:
    walked = Walk()
    list(walked.steps())
    return walked


def entries() -> list[str]:
    head = read_head()
    rows = query(keys.audit_entries(head.month)) if head else ()
    return [f"{raw['moderator_id']['S']} {raw['action']['S']}" for raw in rows]


def note(number: int) -> Create:
    key = keys.case_note("person", "X", f"{number:04}")
    return Create(CaseNote(*key, note_id=f"{number}", moderator_id="M", text="seen"))


@at_once
def test_two_of_the_staff_who_write_at_once_make_one_chain_without_a_gap(mod, admin):
    def write_many(who, first):
        for number in range(first, first + TIMES):
            record(note(number), by=who.user_id, action="note")

    with ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(write_many, mod, 0), pool.submit(write_many, admin, TIMES)]:
            done.result()
    walked = walk()
    assert walked.faults == []
    assert walked.number == 2 * TIMES
    assert len(list(query(keys.case_partition("person", "X")))) == 2 * TIMES


@at_once
def test_the_first_entries_of_a_site_may_come_at_once(mod, table):
    with ThreadPoolExecutor(8) as pool:
        for done in [pool.submit(record, note(n), by=mod.user_id, action="note") for n in range(8)]:
            done.result()
    assert walk().faults == []
    assert walk().number == 8


def test_two_whose_clocks_differ_by_a_month_make_one_chain(mod, admin):
    record(note(1), by=mod.user_id, action="note")
    others: list[str] = []

    def write(*entry):
        if not others:  # someone else comes between, in a month of their own
            others.append("2099-01")
            change(AuditHead, keys.audit_head(), [AuditHead.month.set(others[0])])
            record(note(2), by=admin.user_id, action="note")
        transact(note(3), *entry)
        return True

    record_with(write, by=mod.user_id, action="note")
    assert walk().faults == []
    assert walk().number == 3


def test_a_refused_action_leaves_no_entry(mod):
    record(note(1), by=mod.user_id, action="note")
    with pytest.raises(AlreadyExists):
        record(note(1), by=mod.user_id, action="note")
    with pytest.raises(NotFound):
        record(
            Change(UserInfo, keys.user_info("nobody"), [UserInfo.waiting.remove()]),
            by=mod.user_id,
            action="approve",
        )
    assert walk().number == 1


def test_an_entry_that_cannot_be_made_leaves_no_action(mod):
    key = keys.audit_entry(utc_now_iso()[:7], 1)
    client().put_item(TableName=table_name(), Item=wire(key) | {"type": {"S": "CaseNote"}})
    with pytest.raises(Exception, match="audit log"):
        record(note(1), by=mod.user_id, action="note")
    assert list(query(keys.case_partition("person", "X"))) == []


def test_a_service_that_finds_nothing_to_do_enters_nothing(mod, caplog):
    caplog.set_level("INFO", "moderation.log.writes")
    record_with(lambda *entry: False, by=mod.user_id, action="give role")
    assert entries() == []
    assert not caplog.records


def test_what_moderators_do_stands_in_the_log_with_who_did_it(alice, bob, mod):
    file_report(by=bob, person_id=alice.user_id, rule_id="spam")
    case_id = CaseId(CaseKind.PERSON, alice.user_id)
    add_note(by=mod, case_id=case_id, text="Not the first time")
    decide_case(
        by=mod, case_id=case_id, decision=Decision(ActionKind.WARN, text="Please"), version=1
    )
    assert entries() == [f"{mod.user_id} note", f"{mod.user_id} warn"]
    assert walk().faults == []


def test_what_people_report_is_no_matter_of_the_log(alice, table):
    file_report(by=person("bob"), person_id=alice.user_id)
    assert entries() == []


# Where the audit log ends: a head or a tail that someone changed is found, and the command says what it found.


@pytest.fixture
def log(mod):
    fill_log(by=mod)


def test_a_tail_that_was_cut_off_is_found(log):
    drop(10, 11, 12)
    assert faults() == ["cut off at the end: the head says 12, the last entry is 9"]


def test_a_head_that_was_turned_back_is_found(log):
    old = raw_entry(9)
    put(raw_head() | {"number": old["number"], "hash": old["hash"]})
    assert faults() == ["the head was turned back: it says 9, the last entry is 12"]


@pytest.mark.parametrize(
    "altered",
    [{"hash": {"S": "0" * 64}}, {"first_month": {"S": "2025-02"}}, {"month": {"S": "2099-01"}}],
)
def test_an_altered_head_is_found(log, altered):
    put(raw_head() | altered)
    assert len(faults()) == 1


def test_a_head_that_is_gone_is_found(log):
    client().delete_item(TableName=table_name(), Key=wire(keys.audit_head()))
    assert faults() == ["the head is gone, the last entry is 12"]


def test_tail_and_head_cut_together_are_found_by_a_noted_head(log):
    noted = str(read_head())
    old = raw_entry(9)
    put(raw_head() | {"number": old["number"], "hash": old["hash"]})
    drop(10, 11, 12)
    assert faults(f"9:{old['hash']['S']}") == []
    assert faults(noted) == ["cut off: the noted head 12 is not in the log"]


def test_each_head_that_was_ever_logged_is_in_the_chain(table, mod, caplog):
    caplog.set_level("INFO", "moderation.log.writes")
    for _ in range(4):
        record(by=mod.user_id, action="warn")
    logged = re.findall(r"audit log is at (\S+)", caplog.text)
    assert len(logged) == 4
    assert all(faults(noted) == [] for noted in logged)


def test_the_command_prints_the_head_and_a_month_with_handles(log, mod, capsys):
    call_command("audit_log", "head")
    assert capsys.readouterr().out == f"{read_head()}\n"
    call_command("audit_log", "show", "--month", this_month())
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == ENTRIES
    assert re.fullmatch(r"1  \S+  @moddy  warn  X  person-X  \{.*\}", lines[0])


@pytest.mark.parametrize("asked", [["verify", "--head", "12"], ["show", "--month", "Permissions"]])
def test_the_command_says_what_it_cannot_read(log, asked):
    with pytest.raises(CommandError):
        call_command("audit_log", *asked)


def test_nothing_entered_yet_is_said(table):
    with pytest.raises(CommandError, match="Nothing"):
        call_command("audit_log", "head")

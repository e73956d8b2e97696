"""Where the audit log ends: a head or a tail that someone changed is found, and the command says what it found."""

import re

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from moderation.log.chain import read_head
from moderation.log.writes import record
from socialsite import keys
from socialsite.table.connection import client, table_name
from socialsite.table.transport.requests import wire
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

"""`manage.py recommend`: whom someone may know, why, and what it cost."""

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from relations.blocks.writes import block
from relations.follows.writes import follow
from socialsite.table import fetch, keys


def said(capsys, *arguments: str) -> str:
    call_command("recommend", *arguments)
    return capsys.readouterr().out


def rows(text: str) -> list[list[str]]:
    """The rows of its tables."""
    return [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in text.splitlines()
        if line.startswith("│")
    ]


@pytest.fixture
def knows_carol(alice, bob, carol) -> None:
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)


@pytest.mark.parametrize("handle", ["alice", "@alice", "ALICE"])
def test_it_prints_who_why_and_how_well_they_fit(knows_carol, capsys, handle):
    first = rows(said(capsys, handle))[0]
    assert first == ["carol", "Carol 陈", "Followed by Bob Brandt", "1", "2"]


def test_it_prints_each_kind_of_call_with_its_number_and_the_sum(knows_carol, capsys):
    _, *costs = rows(said(capsys, "alice"))
    assert [row[:3] for row in costs] == [
        ["recommend_people", "Query", "4"],
        ["recommend_people", "BatchGetItem", "1"],
        ["list_suggestions", "BatchGetItem", "1"],
        ["all", "", "6"],
    ]


def test_it_prints_no_more_than_asked_for(alice, bob, carol, mod, capsys):
    follow(by=alice, user_id=bob.user_id)
    for one in (carol, mod):
        follow(by=bob, user_id=one.user_id)
    assert "moddy" in said(capsys, "alice")
    assert "moddy" not in said(capsys, "alice", "--size", "1")


def test_it_leaves_out_whom_the_pages_leave_out(alice, knows_carol, carol, capsys):
    block(by=alice, user_id=carol.user_id)
    assert "Nobody to recommend to alice." in said(capsys, "alice")


def test_it_keeps_nothing(alice, knows_carol, capsys):
    said(capsys, "alice")
    assert not fetch([keys.suggestions(alice.user_id)])


def test_nobody_is_one_sentence(table):
    with pytest.raises(CommandError, match="No account has the handle not_there"):
        call_command("recommend", "not_there")

"""`manage.py recommend`: whom someone may know, why, and what it cost."""

import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from relations import lambda_handler
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


def test_as_json_it_answers_both_levels_with_their_cost(knows_carol, alice, bob, carol, capsys):
    answer = json.loads(said(capsys, "alice", "--json"))
    assert [(one["id"], one["types"]) for one in answer["level_1"]] == [(bob.user_id, ["follows"])]
    (second,) = answer["level_2"]
    assert (
        second.items()
        >= {
            "id": carol.user_id,
            "handle": "carol",
            "reason": "followed",
            "sentence": "Followed by Bob Brandt",
            "via": {"id": bob.user_id, "handle": "bob"},
            "score": 2,
        }.items()
    )
    assert answer["cost"]["calls"] == 8
    assert answer["cost"]["read_units"] > 0


def test_as_json_it_answers_what_the_function_does(knows_carol, capsys):
    of_function = lambda_handler.handle({"operation": "levels", "user": "alice"})
    of_command = json.loads(said(capsys, "@Alice", "--json"))
    for answer in (of_function, of_command):
        del answer["cost"]  # the function looks up the handle as well
    assert of_command == of_function


def test_nobody_is_one_sentence(table):
    with pytest.raises(CommandError, match="No account has the handle not_there"):
        call_command("recommend", "not_there")

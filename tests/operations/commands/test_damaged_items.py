"""An item without a type, or damaged, is named by its key: `audit` and `workbench export` say which, and go on."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from socialsite import keys
from socialsite.table.connection import client, table_name
from tests.conftest import post
from tests.looks import broken_invariants

RAW = {"type": {"S": "UserInfo"}, "user_id": {"S": "x"}, "name": {"S": "X"}, "handle": {"S": "x"}}
DAMAGED = {
    "without a type": ({name: RAW[name] for name in RAW if name != "type"}, "u#x / info"),
    "of no type": (RAW | {"type": {"S": "Cat"}}, "u#x / info"),
    "with a type that is a number": (RAW | {"type": {"N": "7"}}, "u#x / info"),
    "without a handle": (
        {name: RAW[name] for name in RAW if name != "handle"},
        "u#x / info: handle is missing, which each UserInfo has.",
    ),
    "with a number for a name": (
        RAW | {"name": {"N": "7"}},
        "u#x / info: name is '7', which is not S.",
    ),
    "with numbers in a set": (RAW | {"name": {"NS": ["7", "8"]}}, "u#x / info: name is"),
}
POST = {"type": {"S": "Post"}, "author_id": {"S": "x"}, "content": {"S": "Hello"}}
POST |= {"post_id": {"S": "2026-01-01"}, "timestamp": {"S": "1"}}  # an id that has no time


def put(raw: dict[str, dict[str, object]]) -> None:
    key = keys.user_info("x")
    place = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    client().put_item(TableName=table_name(), Item=place | raw)


def audited(capsys) -> str:
    with pytest.raises(CommandError, match="broken"):
        call_command("audit")
    return " ".join(capsys.readouterr().out.replace("│", " ").split())


@pytest.mark.parametrize("damage", DAMAGED)
def test_the_audit_names_a_damaged_item_and_looks_at_the_others(alice, capsys, damage):
    raw, sentence = DAMAGED[damage]
    put(raw)
    told = audited(capsys)
    assert "".join(sentence.split()) in "".join(told.split())
    assert told.count("u#x / info") == 1


@pytest.mark.parametrize("damage", DAMAGED)
def test_an_export_names_a_damaged_item_and_has_the_others(
    alice, capsys, tmp_path: Path, damage: str
):
    raw, sentence = DAMAGED[damage]
    post(alice)
    put(raw)
    file = tmp_path / "model.json"
    call_command("workbench", "export", str(file))
    assert f"Left out, as it is damaged: {sentence}" in capsys.readouterr().err
    (table,) = json.loads(file.read_text())["DataModel"]
    found = {facet["FacetName"]: facet["TableData"] for facet in table["TableFacets"]}
    assert [one["user_id"]["S"] for one in found["UserInfo"]] == [alice.user_id]
    assert len(found["Post"]) == 1


def test_the_audit_goes_on_where_a_value_means_nothing(alice):
    put(POST)
    broken = broken_invariants()
    told = broken["every item has what its type needs"]
    assert told[0].startswith("u#x / info: its values cannot be read: ")
    assert "every post has its like count, and no count is without its post" in broken


@pytest.mark.parametrize("kind", ["Import", "SignIn"])
def test_an_export_says_nothing_of_items_that_stay_here_anyway(alice, capsys, kind):
    put({"type": {"S": kind}, "secret": {"S": "abc"}})
    call_command("workbench", "export")
    told = capsys.readouterr()
    assert "damaged" not in told.err
    assert "abc" not in told.out


def test_other_commands_pass_by_a_damaged_item(alice, capsys, settings):
    settings.DEBUG = True
    put(DAMAGED["without a type"][0])
    call_command("reencrypt")
    with pytest.raises(CommandError, match="already has people"):
        call_command("seed")

"""The social network that AWS publishes, imported as it is: the seven patterns answer, and it can be browsed."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

import operations.workbench.published
from lens.patterns import NUMBERS
from lens.published_patterns import run_seven
from socialsite.table.reading import scan
from tests.looks import broken_invariants
from tests.web.catalogs import ROOT
from tests.web.html import Html

FILE = Path(operations.workbench.published.__file__).with_name("SocialNetworkSchema.json")


@pytest.fixture
def imported(table, capsys) -> str:
    call_command("workbench", "import", str(FILE))
    return capsys.readouterr().out


def ran(number: int) -> Any:
    return next(one for one in run_seven("hyuklee") if one.number == number)


def published(kind: str) -> list[dict[str, Any]]:
    """The items of the file whose partition ends so."""
    model = json.loads(FILE.read_text())
    items = model["DataModel"][0]["TableData"]
    return [item for item in items if item["PK"]["S"].endswith(kind)]


def test_all_seven_patterns_answer_what_the_file_says(imported):
    assert [one.number for one in run_seven("hyuklee")] == [1, 2, 3, 4, 5, 6, 7]
    info, count = (ran(1).items[place] for place in (1, 0))
    assert (info["name"]["S"], info["content"]["S"]) == ("hyuklee", "My name is Hyuk Lee")
    assert [count[name]["N"] for name in ("follower#", "following#", "post#")] == [
        "3000000000",
        "971",
        "4945",
    ]
    assert len(ran(2).items) == len(published("#follower")) == 3
    assert len(ran(3).items) == len(published("#following")) == 3
    texts = [item["content"]["S"] for item in ran(4).items]
    assert texts == ["content for a post"] * 2
    assert len(ran(5).items) == len(published("#likelist")) == 3
    assert ran(6).items[0]["like#"]["N"] == "100"
    assert len(ran(7).items) == len(published("#timeline")) == 3


def test_it_can_be_browsed_as_a_site(imported, client: Client):
    page = client.get("/@hyuklee")
    assert page.status_code == 200
    text = Html(page).one(id="main").text
    assert "My name is Hyuk Lee" in text
    assert "3B" in text
    assert "content for a post" in text
    for address in ("/@hyuklee/followers", "/@hyuklee/following", "/@u23456", "/local"):
        assert client.get(address).status_code == 200, address
    assert "@u23456" in Html(client.get("/@hyuklee/followers")).one(id="main").text
    assert "Named in the imported model" in Html(client.get("/@u56789")).one(id="main").text


def test_what_was_decided_is_said(imported):
    for sentence in (
        "`etc` of u#12345 means nothing here and was left out.",
        "u#23456 is only named. @u23456 is a stub.",
        "p#34567 is only named. The post is a stub.",
        "p#45678 in the timeline of u#12345 expired on 2019-10-23. It stays 30 days.",
        "The counts of u#12345 stay as published.",
    ):
        assert sentence in imported


def test_the_document_counts_what_comes_and_what_does_not_add_up(imported):
    text = " ".join((ROOT / "docs" / "workbench.md").read_text().split())
    taken = len(published(""))
    found = re.search(
        r"Of the (\d+) items (\d+) come: .* stubs for (\d+) people and (\d+) posts that are only named",
        text,
    )
    assert found is not None
    come = int(re.search(r"Imported (\d+) items", imported)[1])
    people, posts = imported.count("stub.") - imported.count("The post"), imported.count("The post")
    assert [int(one) for one in found.groups()] == [taken, come, people, posts]
    broken = sum(map(len, broken_invariants().values()))
    assert f"`manage.py audit` finds {broken} places that do not add up" in text


def test_the_same_file_gives_the_same_ids(imported, table, client):
    first = {one["post_id"]["S"] for one in ran(4).items}
    assert first == {"01DQW3JBJ0DNS102A88W4HRMHG", "01DQW3JCH8MZFPT53RXR81WFM4"}


def damaged(change) -> dict[str, Any]:
    model = copy.deepcopy(json.loads(FILE.read_text()))
    change(model["DataModel"][0]["TableData"])
    return model


def item(items: list[dict[str, Any]], sort: str) -> dict[str, Any]:
    return next(one for one in items if one["SK"]["S"] == sort)


DAMAGES = {
    "a sort key of no pattern": (
        lambda items: item(items, '"info"').update(SK={"S": "profile"}),
        "No item of the published model has the key 'u#12345', 'profile'.",
    ),
    "a like count in words": (
        lambda items: next(one for one in items if one["PK"]["S"].endswith("likecount")).update(
            etc={"S": "many"}
        ),
        "etc of p#12345#likecount is 'many' and should be digits.",
    ),
    "a picture elsewhere": (
        lambda items: item(items, '"info"').update(imageUrl={"S": "ftp://example.org/a.jpg"}),
        "Only s3://bucket/key can be imported.",
    ),
    "a text for a count": (
        lambda items: next(one for one in items if "follower#" in one).update(
            {"follower#": {"S": "3"}}
        ),
        "follower# is not declared as S",
    ),
    "an attribute that it does not have": (
        lambda items: item(items, '"info"').update(ttl={"N": "5"}),
        "has ttl, which the published model does not have there.",
    ),
    "likes of a post without an author": (
        lambda items: items.remove(item(items, "p#12345")),
        "Nothing says who wrote post 12345, which has likes.",
    ),
    "the same key twice": (
        lambda items: items.append(dict(items[0])),
        "has a key that another item has",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_fits_no_rule_stops_the_import_before_anything_is_written(table, tmp_path, damage):
    change, sentence = DAMAGES[damage]
    file = tmp_path / "model.json"
    file.write_text(json.dumps(damaged(change)))
    before = list(scan())
    with pytest.raises(CommandError) as refused:
        call_command("workbench", "import", str(file))
    assert sentence in str(refused.value)
    assert list(scan()) == before


def test_the_patterns_are_printed_with_their_requests(imported, capsys):
    call_command("patterns", "@hyuklee", "--json")
    told = json.loads(capsys.readouterr().out)
    assert {one["name"]: one["number"] for one in told} == NUMBERS
    timeline = told[-1]
    assert timeline["request"]["operation"] == "Query"
    assert timeline["request"]["KeyConditionExpression"]
    assert timeline["more"][0]["operation"] == "BatchGetItem"
    assert len(timeline["items"]) == 3
    assert timeline["units"] > 0
    assert timeline["ms"] > 0


def test_patterns_of_nobody_are_a_sentence(table):
    with pytest.raises(CommandError, match="No account has the handle nobody"):
        call_command("patterns", "nobody")

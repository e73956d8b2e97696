"""Our own table as a model of NoSQL Workbench, and the published one imported as it is."""

import copy
import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

import operations.workbench.published
from lens.chart import shapes
from lens.patterns import NUMBERS
from lens.published_patterns import run_seven
from operations.seed.demo_data import DemoData, Sizes
from operations.workbench.exporting import (
    SECRET_TYPES,
    attributes_of,
    declared_attributes,
    export_model,
    exported_models,
)
from operations.workbench.importing import NotAModel, check_model, items_of, load_items, read_file
from relations.follows.writes import follow
from socialsite.table import Item
from socialsite.table.reading import scan
from tests.conftest import post
from tests.looks import broken_invariants
from tests.test_architecture import item_classes
from tests.web.catalogs import ROOT
from tests.web.html import Html


def demo_items() -> list[dict[str, Any]]:
    return [item.serialize() for item in DemoData(Sizes(8, 40, 3, 5, 0)).items()]


def exported(items: list[dict[str, Any]], sample: int = 10**6) -> dict[str, Any]:
    return json.loads(json.dumps(export_model(items, name="socialsite", sample=sample)))


def table_of(model: dict[str, Any]) -> dict[str, Any]:
    (table,) = model["DataModel"]
    return table


def by_key(items) -> dict[tuple[str, str], Any]:
    """Items by key, with sets in order."""
    return {
        (item["PK"]["S"], item["SK"]["S"]): {
            name: {kind: sorted(value) if kind == "SS" else value for kind, value in one.items()}
            for name, one in item.items()
        }
        for item in items
    }


def test_each_item_type_is_a_facet_or_is_left_out_for_its_secrets():
    facets = {facet["FacetName"] for facet in table_of(exported([]))["TableFacets"]}
    types = {cls.__name__ for cls in item_classes() if cls is not Item}
    assert facets | SECRET_TYPES == types
    assert not facets & SECRET_TYPES


def test_what_belongs_to_processes_and_drafts_stays_here():
    left = {"CostSample", "DeadLetter", "Lease", "RecentChange", "SeenRecord", "StreamHost"}
    assert left | {"Draft", "Scheduled"} <= SECRET_TYPES


def test_facets_have_the_keys_of_the_chart():
    facets = {facet["FacetName"]: facet for facet in table_of(exported([]))["TableFacets"]}
    assert facets["Follower"]["KeyAttributeAlias"] == {
        "PartitionKeyAlias": "u#<user>#follower",
        "SortKeyAlias": "u#<follower>",
    }
    assert set(facets) <= set(shapes())


def test_both_indexes_are_in_it():
    names = {index["IndexName"] for index in table_of(exported([]))["GlobalSecondaryIndexes"]}
    assert names == {"typeIndex", "escalatedIndex"}


def test_no_attribute_has_two_types():
    types = declared_attributes()
    for model in exported_models():
        assert attributes_of(model).items() <= types.items()


def test_the_demo_table_fits_the_format():
    check_model(exported(demo_items()))


def turned(value: Any) -> Any:
    """A value with its sets and maps in another order, as an engine may give them."""
    ((kind, content),) = value.items()
    match kind:
        case "SS":
            return {kind: content[::-1]}
        case "M":
            return {kind: {name: turned(content[name]) for name in reversed(content)}}
        case "L":
            return {kind: [turned(one) for one in content]}
    return value


def test_two_exports_of_the_same_items_are_the_same_bytes():
    items = demo_items()
    others = [{name: turned(item[name]) for name in reversed(item)} for item in items[::-1]]
    assert any("M" in value for item in items for value in item.values())
    assert json.dumps(exported(items)) == json.dumps(exported(others))


def test_a_sample_has_at_most_so_many_of_each_type():
    facets = table_of(exported(demo_items(), 3))["TableFacets"]
    assert max(len(facet["TableData"]) for facet in facets) == 3


def test_what_is_secret_is_nowhere_in_it():
    items = demo_items()
    text = json.dumps(exported(items))
    passwords = [item["password"]["S"] for item in items if "password" in item]
    sealed = [item for item in items if any("B" in value for value in item.values())]
    assert passwords
    assert {item["type"]["S"] for item in sealed} >= {"Credentials", "PersonKey"}
    assert not [password for password in passwords if password in text]
    assert '"B"' not in text


@pytest.mark.usefixtures("table")
def test_exported_and_imported_every_item_is_equal(tmp_path):
    model = exported(demo_items())
    file = tmp_path / "model.json"
    file.write_text(json.dumps(model))
    load_items(read_file(file).items, on_written=lambda _: None)
    known = {facet["FacetName"] for facet in table_of(model)["TableFacets"]}
    stored = [item for item in scan() if item["type"]["S"] in known]
    wanted = items_of(table_of(model))
    assert len(wanted) > 300
    assert by_key(stored) == by_key(wanted)


@pytest.mark.usefixtures("table")
def test_a_full_export_that_was_imported_exports_as_the_same_bytes(tmp_path):
    first, again = tmp_path / "model.json", tmp_path / "again.json"
    first.write_text(json.dumps(exported(demo_items()), indent=2, ensure_ascii=False) + "\n")
    call_command("workbench", "import", str(first))
    name = table_of(json.loads(first.read_text()))["TableName"]
    model = export_model(scan(), name=name, sample=10**6)
    again.write_text(json.dumps(model, indent=2, ensure_ascii=False) + "\n")
    assert again.read_bytes() == first.read_bytes()


def test_a_live_table_is_written_to_a_file_and_never_over_one(alice, bob, tmp_path, capsys):
    follow(by=alice, user_id=bob.user_id)
    post(bob, "Hello")
    file = tmp_path / "model.json"
    call_command("workbench", "export", str(file))
    model = json.loads(file.read_text())
    check_model(model)
    found = Counter(item["type"]["S"] for item in items_of(table_of(model)))
    assert found["UserInfo"] == 2
    assert found["Follower"] == found["Following"] == found["Post"] == 1
    with pytest.raises(CommandError, match="already exists"):
        call_command("workbench", "export", str(file))


@pytest.mark.usefixtures("table")
def test_a_sample_says_that_it_is_one_and_an_import_of_it_what_will_not_hold(tmp_path, capsys):
    file, told = tmp_path / "model.json", []
    model = export_model(demo_items(), name="socialsite", sample=2, tell=told.append)
    assert "items stay behind. A site made of it has counts and lists that do not add up" in told[0]
    file.write_text(json.dumps(model))
    call_command("workbench", "import", str(file))
    before = capsys.readouterr().err
    broken = broken_invariants()
    assert f"{sum(map(len, broken.values()))} times the site will not hold together" in before
    for rule, places in broken.items():
        assert f"{len(places):>6,}  {rule}" in before
    assert before.index("will not hold together") < before.index("Importing")


def test_a_full_export_says_nothing_of_a_sample():
    told: list[str] = []
    export_model(demo_items(), name="socialsite", sample=10**6, tell=told.append)
    assert told == []


def test_a_table_with_people_takes_no_import(alice, tmp_path):
    file = tmp_path / "model.json"
    file.write_text(json.dumps(exported(demo_items())))
    before = by_key(scan())
    with pytest.raises(CommandError, match="An import needs an empty table"):
        call_command("workbench", "import", str(file))
    assert by_key(scan()) == before


def spreadsheet(file, items) -> None:
    names = list(dict.fromkeys(name for item in items for name in item))
    with file.open("w", newline="") as opened:
        writer = csv.writer(opened)
        writer.writerow(names)
        for item in items:
            cells = [
                next(iter(item[name].items())) if name in item else ("S", "") for name in names
            ]
            writer.writerow([value if kind in "SN" else json.dumps(value) for kind, value in cells])


def test_sample_data_of_a_spreadsheet_becomes_the_same_items(tmp_path):
    items = items_of(table_of(exported(demo_items(), 20)))
    kept = [item for item in items if "" not in (value.get("S") for value in item.values())]
    file = tmp_path / "items.csv"
    spreadsheet(file, kept)
    assert by_key(read_file(file).items) == by_key(kept)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("PK,SK\na,b\n", "The first row must name type."),
        ("PK,SK,type,colour\na,b,Post,red\n", "No item of this site has the attribute 'colour'."),
        ("PK,SK,type,ttl\na,b,TimelineEntry,soon\n", "Row 2: ttl is 'soon', which is not N."),
        ("PK,SK,type\na,,Post\n", "Row 2 has no SK."),
        ("PK,SK,type\na,b\n", "Row 2 does not have as many cells as the first row."),
        ("PK,SK,type\na,b,Cat\n", "No item of this site has the type 'Cat'."),
    ],
)
def test_a_spreadsheet_that_does_not_fit_says_where(tmp_path, text, sentence):
    file = tmp_path / "items.csv"
    file.write_text(text)
    with pytest.raises(NotAModel) as refused:
        read_file(file)
    assert sentence in str(refused.value)


@pytest.mark.parametrize("text", ["", "[1, 2]", "{}", '{"ModelName": "x"}', "\x00", '"' * 50])
def test_other_files_are_refused_with_a_sentence(tmp_path, text):
    file = tmp_path / "model.json"
    file.write_text(text)
    with pytest.raises(NotAModel):
        read_file(file)


@pytest.mark.usefixtures("table")
def test_a_model_of_version_2_is_refused(tmp_path):
    model = exported(demo_items(), 1)
    model["ModelMetadata"]["Version"] = "2.0"
    file = tmp_path / "model.json"
    file.write_text(json.dumps(model))
    with pytest.raises(CommandError, match="Version"):
        call_command("workbench", "import", str(file))


def test_an_item_that_the_model_does_not_declare_is_found():
    model = exported(demo_items(), 1)
    table = table_of(model)
    facet = next(facet for facet in table["TableFacets"] if facet["FacetName"] == "Post")
    facet["TableData"][0]["colour"] = {"S": "red"}
    with pytest.raises(NotAModel, match="colour is not declared"):
        check_model(model)


# The social network that AWS publishes, imported as it is: the seven patterns answer, and it can be browsed.

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


def test_patterns_asked_many_times_say_how_long_they_took(imported, capsys):
    call_command("patterns", "hyuklee", "--times", "5")
    told = capsys.readouterr().out
    assert "own call: p50" in told
    for name in NUMBERS:
        (line,) = [line for line in told.splitlines() if f" {name} " in line]
        own, own_late, all_calls, all_late = map(float, line.split("│")[-5:-1])
        assert own <= own_late <= all_late, line
        assert own <= all_calls <= all_late, line


def test_patterns_of_nobody_are_a_sentence(table):
    with pytest.raises(CommandError, match="No account has the handle nobody"):
        call_command("patterns", "nobody")

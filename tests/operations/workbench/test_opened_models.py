"""Any model of NoSQL Workbench can be looked at, and says in a sentence why it does not become a site."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from operations.management.commands.workbench import SAMPLE
from operations.seed.demo_data import DemoData, Sizes
from operations.workbench.exporting import export_model
from operations.workbench.opened import SHOWN, faults_of_import, model_of, open_model
from operations.workbench.views import EXAMPLE, MOST_BYTES
from socialsite.settings import DATA_UPLOAD_MAX_MEMORY_SIZE
from socialsite.table import measure
from socialsite.table.reading import scan
from tests.operations.workbench.models import empty, in_facets, in_table, model, several
from tests.web.html import Html

VERSIONS = ("1.0", "2.0", "3.0")
OTHERS = {
    "in the table": [in_table()],
    "in facets": [in_facets()],
    "in two tables": several(),
    "without sample data": [empty()],
}
WHY = {
    "in the table": "because its keys are Reader, Due#Book, and those of this site are PK and SK.",
    "in facets": "this site has no item with a key such as b#1 / #METADATA#1.",
    "in two tables": "because its data are in 2 tables, and everything here is in one.",
    "without sample data": "because it has no sample data.",
}
# A folder with models that others have published, which are not in this repository.
PUBLISHED = sorted(Path(os.environ.get("WORKBENCH_MODELS", "/nowhere")).glob("*.json"))


def opened(browser: Client, content: bytes | str, *, status: int = 200) -> Html:
    content = content if isinstance(content, bytes) else content.encode()
    file = SimpleUploadedFile("model.json", content, "application/json")
    answer = browser.post("/dev/workbench", {"file": file})
    assert answer.status_code == status
    assert "no-store" in answer["Cache-Control"]
    return Html(answer)


def words(page: Html) -> str:
    return " ".join(page.one(id="main").text.split())


@pytest.fixture
def developing(settings) -> None:
    settings.DEBUG = True


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("where", OTHERS)
def test_each_version_opens_wherever_its_data_are_and_says_why_it_is_no_site(where, version):
    found = open_model(json.dumps(model(version, *OTHERS[where])))
    assert (found.version, found.name) == (version, "A library")
    assert found.verdict.endswith(WHY[where])
    assert found.verdict.count(". ") == 0
    assert not found.becomes_a_site


def test_facets_indexes_and_sample_data_are_as_the_file_has_them():
    first, second = open_model(json.dumps(model("3.0", *several()))).tables
    (index,) = first.indexes
    assert (index.name, [key.name for key in index.keys]) == ("byShelf", ["Shelf"])
    assert index.projection == "INCLUDE: Copies"
    item, other = first.items
    assert [value.text for value in item.keys] == ["ada", "2026-11-30#<Emma>"]
    assert {value.name: (value.type, value.text) for value in item.values} == {
        "Shelf": ("S", "7 & 8"),
        "Copies": ("N", "3"),
        "Open": ("BOOL", "true"),
        "Notes": ("L", '[{"S": "torn"}, {"M": {"page": {"N": "9"}}}]'),
    }
    assert other.values == ()
    book, author = second.facets
    assert book.aliases == ("b#<isbn>", "#METADATA#")
    assert len(book.items) == 1
    assert (author.aliases, author.items) == (("a#<name>",), ())


@pytest.mark.usefixtures("developing", "table")
def test_the_page_shows_all_of_it_and_writes_nothing(client):
    before = list(scan())
    with measure() as meter:
        page = opened(client, json.dumps(model("2.0", *several(), Author="Ada")))
    assert meter.write_units == 0
    text = words(page)
    assert WHY["in two tables"] in text
    for said in (
        "Loans",
        "Books",
        "byShelf",
        "2026-11-30#<Emma>",
        "7 & 8",
        "Book",
        "b#<isbn>",
        "Ada",
    ):
        assert said in text, said
    assert list(scan()) == before


@pytest.mark.usefixtures("developing", "table")
def test_the_published_network_and_our_own_model_say_that_they_become_one(client):
    page = words(Html(client.get("/dev/workbench?example=1")))
    assert "It is the social network from which this site grew" in page
    assert "hyuklee" in page
    items = [item.serialize() for item in DemoData(Sizes(4, 4, 1, 1, 0)).items()]
    own = json.dumps(export_model(items, name="socialsite", sample=1))
    assert "It is this site’s own model" in words(opened(client, own))


@pytest.mark.usefixtures("developing", "table")
def test_our_own_model_opens_as_it_is_exported(client):
    """With 20 items of each type, which is what the command writes unless told otherwise."""
    items = [item.serialize() for item in DemoData(Sizes(posts=300, pictures=0)).items()]
    own = json.dumps(export_model(items, name="socialsite", sample=SAMPLE), indent=2)
    assert len(own) > DATA_UPLOAD_MAX_MEMORY_SIZE
    assert "Relation" in words(opened(client, own))


@pytest.mark.usefixtures("developing", "table")
def test_of_very_many_items_the_first_are_shown_and_the_number_said(client):
    table = in_table()
    table["TableData"] = [
        {"Reader": {"S": f"reader {number}"}, "Due#Book": {"S": "x"}} for number in range(100)
    ]
    page = opened(client, json.dumps(model("3.0", table)))
    assert len(page.all("article")) == SHOWN
    assert f"{SHOWN} of 100 are shown." in words(page)


BAD: dict[str, Any] = {
    "nothing": b"",
    "not JSON": b"{",
    "not UTF-8": b'{"ModelName": "Zo\xeb"}',
    "a list": b"[]",
    "very deep": b"[" * 50_000,
    "something else": b'{"a": 1}',
    "tables that are none": b'{"DataModel": [1]}',
    "a table without keys": b'{"DataModel": [{"TableName": "a"}]}',
    "keys that are none": b'{"DataModel": [{"TableName": "a", "KeyAttributes": []}]}',
    "items that are none": json.dumps(model("3.0", in_table() | {"TableData": ["x"]})).encode(),
    "metadata that are none": b'{"DataModel": [], "ModelMetadata": "x"}',
    "too large": b" " * (MOST_BYTES + 1),
}


@pytest.mark.usefixtures("developing", "table")
@pytest.mark.parametrize("name", BAD)
def test_another_file_is_a_sentence_beside_the_field(client, name):
    page = opened(client, BAD[name], status=422)
    assert page.error("file")


@pytest.mark.usefixtures("developing", "table")
def test_without_a_file_the_form_says_so(client):
    answer = client.post("/dev/workbench")
    assert answer.status_code == 422
    assert Html(answer).error("file")


@pytest.mark.usefixtures("developing", "table")
def test_models_without_tables_open_too(client):
    assert "no sample data" in words(opened(client, json.dumps(model("1.0"))))


@pytest.mark.usefixtures("developing", "table")
def test_a_model_as_the_guide_prints_one_opens_without_a_version(client):
    """AWS's guide to NoSQL Workbench shows a model with facets and nothing of who made it."""
    plain = {"ModelName": "Music", "DataModel": [{**in_facets(), "TableFacets": [
        {"FacetName": "Song", "KeyAttributeAlias": {"PartitionKeyAlias": "SongId"}, "NonKeyAttributes": ["Title"]}
    ]}]}  # fmt: skip
    page = words(opened(client, json.dumps(plain)))
    for said in ("Music", "Song", "SongId", "no sample data"):
        assert said in page, said


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("where", OTHERS)
@pytest.mark.parametrize("version", VERSIONS)
def test_an_import_refuses_with_the_same_sentence(tmp_path, where, version):
    file = tmp_path / "model.json"
    file.write_text(json.dumps(model(version, *OTHERS[where])))
    before = list(scan())
    with pytest.raises(CommandError) as refused:
        call_command("workbench", "import", str(file))
    assert WHY[where] in str(refused.value)
    assert "/dev/workbench" in str(refused.value)
    assert list(scan()) == before


def test_what_is_exported_here_keeps_the_rules_of_workbench_that_are_known():
    items = [item.serialize() for item in DemoData(Sizes(8, 40, 3, 5, 0)).items()]
    own = model_of(json.loads(json.dumps(export_model(items, name="socialsite", sample=10**6))))
    assert list(faults_of_import(own)) == []
    assert list(faults_of_import(open_model(EXAMPLE.read_text()))) == []


def test_a_model_that_workbench_would_refuse_is_told():
    table = in_table() | {"TableName": "a b"}
    table["GlobalSecondaryIndexes"][0]["KeyAttributes"]["PartitionKey"]["AttributeName"] = "Room"
    table["TableData"].append({"Reader": {"S": "cleo"}, "Pages": {"N": "1"}})
    told = " ".join(faults_of_import(model_of(model("4.0", table))))
    for said in ("'4.0'", "'a b'", "has the key Room", "has Pages", "has no Due#Book"):
        assert said in told, said


@pytest.mark.skipif(not PUBLISHED, reason="WORKBENCH_MODELS names no folder with models")
@pytest.mark.usefixtures("developing", "table")
def test_every_published_model_opens(client):
    for file in PUBLISHED:
        content = file.read_text(encoding="utf-8-sig")
        found = open_model(content)
        page = words(opened(client, content))
        assert " ".join(found.verdict.replace("`", "").split()) in page, file.name
        raw = json.loads(content)
        wanted = [
            item
            for table in raw["DataModel"]
            for part in (table, *table.get("TableFacets", ()))
            for item in part.get("TableData", ())
        ]
        assert len(found.items) == len(wanted), file.name
        assert found.becomes_a_site == ("SocialNetwork" in file.name), file.name

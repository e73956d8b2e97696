"""A site made of a full export works; a file that cannot become one is refused whole."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from socialsite.table.reading import scan
from tests.operations.test_backups import run
from tests.operations.test_restore_under_load import manage
from tests.operations.workbench.test_models import demo_items, exported, table_of

# A site made of a full export is whole and works: what came holds together, and what people do there is counted.
#
# Real commands on folders of their own.

embedded_alone = pytest.mark.engines("embedded", reason="it moves to an engine of its own")


def play(data_dir: Path, what: str) -> str:
    code = f"from tests.operations.workbench import moving; moving.{what}()"
    return run(data_dir, "shell", "-c", code)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The full export of a site in the middle of its work."""
    folder = tmp_path_factory.mktemp("moving")
    old, file = folder / "old", folder / "model.json"
    run(old, "create_table")
    play(old, "live")
    run(old, "workbench", "export", str(file), "--sample", "1000000")
    return file


@embedded_alone
@pytest.mark.timeout(180)
def test_a_site_moves_and_its_worker_goes_on(model, tmp_path):
    new = tmp_path / "new"
    imported = manage(new, "workbench", "import", str(model))
    assert imported.returncode == 0, imported.stderr
    assert "will not hold" not in imported.stderr
    told = json.loads(play(new, "use").splitlines()[-1])
    assert told == {
        "broken": {},
        "jobs done": ["bob"],
        "likes": 2,
        "followers": 1,
        "found": ["dora"],
        "at home": True,
        "ready": "ok",
        "broken then": {},
    }


@embedded_alone
@pytest.mark.timeout(180)
def test_what_an_older_export_has_of_processes_stays_out(model, tmp_path):
    """Until 2026-11 an export had them, and the worker of a site made of it never worked."""
    made = json.loads(model.read_text())
    (table,) = made["DataModel"]
    for name, kind in (("shard_id", "S"), ("checkpoint", "S"), ("epoch", "N"), ("host", "S")):
        table["NonKeyAttributes"].append({"AttributeName": name, "AttributeType": kind})
    lease = {"type": {"S": "Lease"}, "SK": {"S": "lease"}, "checkpoint": {"S": "17562"}}
    lease |= {"epoch": {"N": "1"}, "shard_id": {"S": "shardId-00000001-socialsite"}}
    lease |= {"PK": {"S": "worker#shardId-00000001-socialsite"}}
    host = {"type": {"S": "StreamHost"}, "host": {"S": "lambda"}}
    host |= {"PK": {"S": "worker#host"}, "SK": {"S": "host"}}
    table["TableFacets"][0]["TableData"] = [lease, host]
    file, new = tmp_path / "older.json", tmp_path / "new"
    file.write_text(json.dumps(made))
    told = run(new, "workbench", "import", str(file))
    assert "1 of the type Lease stayed out" in told
    assert "1 of the type StreamHost stayed out" in told
    told = json.loads(play(new, "use").splitlines()[-1])
    assert (told["likes"], told["found"], told["ready"]) == (2, ["dora"], "ok")


# A file that cannot become a site is refused whole: with row, attribute and reason, and nothing is written.

ZOE = "01JD0000000000000000000000"
COUNT = {"PK": f"u#{ZOE}", "SK": "count", "type": "UserCount", "user_id": ZOE}
INFO = COUNT | {"SK": "info", "type": "UserInfo", "name": "Zoë", "handle": "zoe"}
GOOD = [COUNT | {"PK": f"u#{number}", "user_id": str(number)} for number in range(40)]
LAST = "Row 42: "

BAD_ROWS = {
    "nan": (
        COUNT | {"post#": "nan"},
        "post# is 'nan', which is not N. A number is whole and has at most 38 digits.",
    ),
    "inf": (COUNT | {"post#": "inf"}, "post# is 'inf', which is not N."),
    "39 digits": (COUNT | {"post#": "9" * 39}, f"post# is '{'9' * 39}', which is not N."),
    "full-width digits": (COUNT | {"post#": "１２"}, "post# is '１２', which is not N."),
    "a fraction": (COUNT | {"post#": "1.5"}, "post# is '1.5', which is not N."),
    "a map for a number": (COUNT | {"post#": "{}"}, "post# is '{}', which is not N."),
    "a set with doubles": (
        COUNT | {"pins": '["a", "a"]'},
        "pins is ['a', 'a'], which is not SS. A set has at least one text, and none twice.",
    ),
    "a set of nothing": (COUNT | {"pins": "[]"}, "pins is [], which is not SS."),
    "a set of numbers": (COUNT | {"pins": "[1]"}, "pins is [1], which is not SS."),
    "a set that is text": (COUNT | {"pins": "a, b"}, "pins is 'a, b', which is not SS."),
    "100,000 brackets": (COUNT | {"pins": "[" * 10**5}, "pins is '[[[["),
    "half a character": (COUNT | {"pins": '["\\ud800"]'}, "pins is ['\\ud800'], which is not SS."),
    "a moment beyond time": (COUNT | {"ttl": "9" * 30}, f"ttl is '{'9' * 30}', which nothing can"),
    "no handle": (INFO | {"handle": ""}, "handle is missing, which each UserInfo has."),
    "a name of 500 KB": (INFO | {"name": "x" * 500_000}, "name has 500,004 bytes."),
    "a long key": (INFO | {"PK": "x" * 3000}, "PK has 3,000 bytes. A key has 1 to 2,048."),
    "an attribute of others": (
        INFO | {"like#": "3"},
        "like# is no attribute of UserInfo that can be imported.",
    ),
    "the same key": (
        COUNT | {"PK": "u#7"},
        "PK and SK are u#7 / count, the key that Row 9 has.",
    ),
}


def spreadsheet(file: Path, rows: list[dict[str, str]]) -> Path:
    names = list(dict.fromkeys(name for row in rows for name in row))
    with file.open("w", newline="") as opened:
        csv.writer(opened).writerows(
            [names, *([row.get(name, "") for name in names] for row in rows)]
        )
    return file


def refusal(file: Path) -> str:
    """What the import says, having written nothing."""
    before = list(scan())
    with pytest.raises(CommandError) as refused:
        call_command("workbench", "import", str(file))
    assert list(scan()) == before
    return str(refused.value)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("damage", BAD_ROWS)
def test_a_row_that_cannot_be_an_item_is_named_before_any_is_written(tmp_path, damage):
    bad, sentence = BAD_ROWS[damage]
    assert LAST + sentence in refusal(spreadsheet(tmp_path / "items.csv", [*GOOD, bad]))


@pytest.mark.usefixtures("table")
def test_the_corrected_file_is_taken(tmp_path, capsys):
    refusal(spreadsheet(tmp_path / "items.csv", [*GOOD, INFO, COUNT | {"post#": "nan"}]))
    call_command(
        "workbench",
        "import",
        str(spreadsheet(tmp_path / "better.csv", [*GOOD, INFO, COUNT | {"post#": "3"}])),
    )
    assert "Imported 42 items." in capsys.readouterr().out


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("PK,SK,type\na,b,Zoë\n".encode("latin-1"), "items.csv is not UTF-8"),
        (b"PK,SK,type\na,b,\x00\n", "No item of this site has the type"),
        (b'PK,SK,type\n"a,b\n', "items.csv is not CSV"),
        (b"PK,PK,SK,type\na,a,b,Post\n", "The first row names PK twice."),
        (b"", "The first row must name PK."),
        (b"PK,SK,type," + b"x" * 500_000 + b"\na,b,Post,c\n", "has the attribute 'xxxx"),
        (b"[" * 10**5, "No item of this site has the attribute '[[[["),
    ],
)
def test_a_spreadsheet_that_is_none_is_a_sentence(tmp_path, content, sentence):
    file = tmp_path / "items.csv"
    file.write_bytes(content)
    told = refusal(file)
    assert sentence in told
    assert len(told) < 1000


def changed_model(change: Any) -> str:
    """Our model of a small site, changed: `change` gets its facets by name."""
    made = exported(demo_items(), 5)
    change({facet["FacetName"]: facet["TableData"] for facet in table_of(made)["TableFacets"]})
    return json.dumps(made)


BAD_MODELS = {
    "a map in a number's place": (
        lambda facets: facets["UserCount"][2].update({"post#": {"N": {"a": 1}}}),
        "Item 3 of UserCount: post# is {'a': 1}, which is not N.",
    ),
    "a value without a type": (
        lambda facets: facets["UserInfo"][0].update(name="Zoë"),
        "Item 1 of UserInfo: name is 'Zoë', without a type.",
    ),
    "no handle": (
        lambda facets: facets["UserInfo"][0].pop("handle"),
        "handle is missing, which each UserInfo has.",
    ),
    "39 digits": (
        lambda facets: facets["UserCount"][0].update({"post#": {"N": "9" * 39}}),
        "post# is '999",
    ),
    "no type": (lambda facets: facets["Post"][0].pop("type"), "has the type ''."),
    "a map of what is no value": (
        lambda facets: facets["UserInfo"][0].update(mentions={"M": {"a": "b"}}),
        "mentions is {'a': 'b'}, which is not M.",
    ),
    "a deep map": (
        lambda facets: facets["UserInfo"][0].update(mentions=nested(40)),
        "which is not M. A map has values with their types, at most 32 levels deep.",
    ),
}


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "a"}
    for _ in range(levels):
        value = {"M": {"a": value}}
    return value


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("damage", BAD_MODELS)
def test_a_damaged_model_names_item_attribute_and_reason(tmp_path, damage):
    change, sentence = BAD_MODELS[damage]
    file = tmp_path / "model.json"
    file.write_text(changed_model(change))
    assert sentence in refusal(file)


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"[" * 10**5, "model.json is nested too deeply to be a model."),
        (b'{"ModelName": "Zo\xeb"}', "model.json is not JSON"),
        (b'{"ModelName": "a", "ModelName": "b"}', "an object has the name 'ModelName' twice."),
    ],
)
def test_a_file_that_is_no_model_is_a_sentence(tmp_path, content, sentence):
    file = tmp_path / "model.json"
    file.write_bytes(content)
    assert sentence in refusal(file)

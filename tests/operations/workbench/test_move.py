"""A site made of a full export is whole and works: what came holds together, and what people do there is counted.

Real commands on folders of their own.
"""

import json
from pathlib import Path

import pytest

from tests.operations.test_restore_after_the_end import run
from tests.operations.test_restore_under_load import manage

pytestmark = [
    pytest.mark.engines("embedded", reason="it moves to an engine of its own"),
    pytest.mark.timeout(180),
]


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

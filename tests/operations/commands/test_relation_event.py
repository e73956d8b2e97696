"""`manage.py relation_event`: the events that the repository ships are played here as Lambda would play them."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from relations.lambda_handler import OPERATIONS
from socialsite.table.connection import table_name
from tests.relations.scenes import befriend, relationship
from tests.web.catalogs import ROOT

EVENTS = ROOT / "deploy" / "events"


def played(capsys, name: str) -> dict[str, Any]:
    call_command("relation_event", str(EVENTS / f"{name}.json"))
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_an_event_is_shipped_for_each_operation():
    assert {file.stem for file in EVENTS.iterdir()} == OPERATIONS.keys()


def test_the_shipped_events_play_in_their_order(alice, bob, carol, capsys):
    befriend(alice, bob)
    assert set(played(capsys, "create")["relationship"]) == {"favourite"}
    assert played(capsys, "update")["relationship"]["favourite"]["notified"]
    assert relationship(alice, carol).is_subscribed
    assert played(capsys, "filter")["found"] == []  # Bob says neither place nor pronouns
    levels = played(capsys, "levels")
    assert [one["handle"] for one in levels["level_1"]] == ["bob"]
    assert played(capsys, "delete")["relationship"] == {}
    assert not relationship(alice, carol).is_favourite


def test_an_event_comes_from_standard_input_too(alice, capsys, monkeypatch):
    event = {"operation": "filter", "user": "alice", "type": "friend"}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(event)))
    call_command("relation_event", "-")
    assert json.loads(capsys.readouterr().out)["found"] == []


def test_a_refusal_is_printed_and_the_command_fails(alice, capsys, tmp_path):
    file = tmp_path / "event.json"
    file.write_text('{"operation": "levels", "user": "nobody_here"}')
    with pytest.raises(CommandError, match="Nobody has this id or handle"):
        call_command("relation_event", str(file))
    assert json.loads(capsys.readouterr().out)["error"] == "not_found"


@pytest.mark.parametrize("text", ["", "{", "\x00"])
def test_what_is_no_event_is_one_sentence(alice, tmp_path, text):
    file = tmp_path / "event.json"
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("relation_event", str(file))
    file.write_text(text)
    with pytest.raises(CommandError, match="is no JSON"):
        call_command("relation_event", str(file))


@pytest.mark.engines("embedded", "dynamodb-local", reason="another process must reach it")
def test_a_process_of_its_own_plays_it_as_lambda_loads_it(alice, settings, tmp_path):
    """No Django is set up before: the module does that itself."""
    program = (
        "from relations.lambda_handler import handle; import json; "
        "print(json.dumps(handle({'operation': 'levels', 'user': 'alice'})))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=_environment(settings, tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["person"]["handle"] == "alice"


def _environment(settings: Any, folder: Path) -> dict[str, str]:
    return {
        "DATA_DIR": str(folder),
        "DATA_KEY": settings.DATA_KEY,
        "DEBUG": "1",
        "DYNAMODB_ENDPOINT": settings.DYNAMODB_ENDPOINT,
        "DYNAMODB_TABLE": table_name(),
    }

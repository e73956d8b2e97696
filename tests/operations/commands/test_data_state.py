"""The table, its data and `DATA_KEY` belong together; damaged items are named by their key."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from botocore.exceptions import ClientError
from django.core.management import call_command
from django.core.management.base import CommandError

from socialsite.data_keys import current_key
from socialsite.table import Item, Unavailable, change, fetch, get, keys, write_batch
from socialsite.table import connection as connecting
from socialsite.table.connection import client, connection, disconnect, table_name
from socialsite.table.data_state import DATA_VERSION, WrongData, check_data
from socialsite.table.models import DataState
from socialsite.table.schema import (
    create_table,
    missing_features,
    missing_protection,
    protect_table,
)
from tests.conftest import person, post
from tests.engine.processes import PROJECT
from tests.faults.processes import own_engine
from tests.injected.faults import share
from tests.looks import broken_invariants
from tests.tables import use_table

on_amazon = pytest.mark.engines("moto", reason="the others offer no protection")


def test_the_table_has_all_that_the_product_needs(table):
    assert missing_features() == []


def test_creating_it_again_changes_nothing(table, capsys):
    assert create_table() is False
    call_command("create_table")
    assert "complete" in capsys.readouterr().out


def test_it_is_billed_by_request_and_streams_both_images(table):
    described = client().describe_table(TableName=table_name())["Table"]
    assert described["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert described["StreamSpecification"]["StreamViewType"] == "NEW_AND_OLD_IMAGES"


@pytest.mark.engines("embedded", "dynamodb-local", reason="moto stands for Amazon here")
def test_another_engine_than_amazons_is_told_to_stay_unprotected(table, settings, capsys):
    settings.DYNAMODB_ENGINE = "endpoint"
    call_command("create_table")
    told = capsys.readouterr().err
    assert "Deletion protection and point-in-time recovery stay off" in told
    settings.DYNAMODB_ENGINE = "embedded"
    call_command("create_table")
    assert "stay off" not in capsys.readouterr().err


@pytest.fixture
def missing_table(table, monkeypatch):
    """The name of a table that does not exist yet, and that is deleted in the end."""
    monkeypatch.setattr(Item.Meta, "table_name", f"{table}-new")
    yield f"{table}-new"
    client().update_table(TableName=f"{table}-new", DeletionProtectionEnabled=False)
    client().delete_table(TableName=f"{table}-new")


@on_amazon
def test_a_new_table_on_amazon_is_protected_from_loss(missing_table, capsys):
    call_command("create_table")
    assert missing_protection() == []
    with pytest.raises(client().exceptions.ClientError, match="DeletionProtection"):
        client().delete_table(TableName=missing_table)
    assert capsys.readouterr().err == ""


@on_amazon
def test_a_table_that_exists_keeps_its_settings_and_the_command_says_what_is_off(table, capsys):
    call_command("create_table")
    told = capsys.readouterr().err
    assert "Deletion protection is off." in told
    assert "Point-in-time recovery is off." in told
    assert len(missing_protection()) == 2


@on_amazon
def test_protecting_twice_is_harmless(missing_table):
    create_table()
    protect_table()
    protect_table()
    assert missing_protection() == []


# Table, `DATA_KEY` and code belong together; what does not is refused in one sentence, before anything is read.

OTHER = "another data key that is long enough as well"


@pytest.fixture
def connect_to_the_same_table_afterwards(running_engine, table: str) -> Iterator[None]:
    yield
    running_engine.point_settings()
    disconnect()
    Item.Meta.table_name = "no-table-and-so-nothing-to-refuse"
    connection()
    use_table(table)


def connect_anew() -> None:
    disconnect()
    connection()


def state() -> DataState:
    return get(DataState, keys.data_state(), consistent=True)


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
def test_a_new_table_notes_its_version_and_key(table):
    assert (state().version, state().key_ids) == (DATA_VERSION, {current_key().id})
    assert current_key().text not in str(state().serialize())


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
def test_a_process_that_may_not_look_leaves_it_to_one_that_may(table):
    """The web on Amazon has no Scan: what it took for data of before would ask for an upgrade for ever."""
    write_batch(deletes=[keys.data_state()])

    def refused(**_request: object) -> None:
        raise ClientError({"Error": {"Code": "AccessDeniedException"}}, "Scan")

    may_not = SimpleNamespace(get_item=client().get_item, scan=refused)
    check_data(may_not, table_name())
    assert fetch([keys.data_state()]) == {}
    check_data(client(), table_name())
    assert state().upgraded == DATA_VERSION


def test_another_key_is_refused(table, settings):
    settings.DATA_KEY = OTHER
    with pytest.raises(WrongData, match=r"is encrypted with the key .*: set DATA_KEY"):
        connect_anew()


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
def test_a_new_key_is_taken_beside_the_old_one_and_alone_once_all_is_encrypted_again(
    table, settings
):
    person("alice")
    old, settings.DATA_KEY = settings.DATA_KEY, OTHER
    settings.DATA_KEY_FALLBACKS = [old]
    connect_anew()
    settings.DATA_KEY_FALLBACKS = []
    with pytest.raises(WrongData):
        connect_anew()
    settings.DATA_KEY_FALLBACKS = [old]
    call_command("reencrypt")
    settings.DATA_KEY_FALLBACKS = []
    connect_anew()
    settings.DATA_KEY = old
    with pytest.raises(WrongData):
        connect_anew()


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
def test_newer_data_are_refused(table):
    newer = DATA_VERSION + 1
    change(DataState, keys.data_state(), [DataState.version.set(newer)])
    with pytest.raises(WrongData, match=f"has data of version {newer}, .*: start the newer code"):
        connect_anew()


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
def test_a_table_of_an_earlier_version_is_taken_as_it_is(alice):
    write_batch(deletes=[keys.data_state()])
    connect_anew()
    assert state().key_ids == {current_key().id}
    assert state().first_start is None


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
@pytest.mark.engines("embedded", reason="it starts an engine of its own")
def test_a_web_process_that_starts_before_the_engine_checks_before_it_serves(settings, monkeypatch):
    monkeypatch.setattr(connecting, "CONNECT_SECONDS", 0.1)
    monkeypatch.setattr(connecting, "CONNECT_PAUSE", 0.05)
    monkeypatch.setattr(connecting, "_serves_pages", False)
    with own_engine() as (engine, _):
        engine.kill()
        settings.DATA_KEY = OTHER
        disconnect()
        connecting.connect_to_serve()
        with pytest.raises(Unavailable):
            connection()
        engine.start()
        until = time.monotonic() + 60
        while not connecting._refusal and time.monotonic() < until:
            time.sleep(0.05)
        with pytest.raises(WrongData):
            connection()
        monkeypatch.setattr(connecting, "_serves_pages", False)


# Where each process begins: web server, worker, and each command that reads the table.
ENTRY_POINTS = {
    "web": ["-c", "import socialsite.wsgi"],
    "runserver": ["manage.py", "runserver", "--noreload", "0"],
    "run_worker": ["manage.py", "run_worker"],
    **{
        name: ["manage.py", name] for name in ("audit", "reconcile", "redrive", "seed", "reencrypt")
    },
    "createadmin": ["manage.py", "createadmin", "boss", "--email", "b@example.org"],
    "recommend": ["manage.py", "recommend", "alice"],
    "relation_event": ["manage.py", "relation_event", "deploy/events/levels.json"],
    "audit_log": ["manage.py", "audit_log", "head"],
}


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
@pytest.mark.engines("embedded", "dynamodb-local", reason="other processes must reach it")
def test_every_entry_point_refuses_another_key_in_one_sentence(alice, settings, tmp_path):
    """A third of them, another one each run."""
    for name in share(ENTRY_POINTS, one_of=3, salt="entry points"):
        assert_refuses(name, settings.DYNAMODB_ENDPOINT, tmp_path / name)


def assert_refuses(name: str, endpoint: str, data_dir: Path) -> None:
    done = subprocess.run(
        [sys.executable, *ENTRY_POINTS[name]],
        cwd=PROJECT,
        env={
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(data_dir),
            "DATA_KEY": OTHER,
            "DEBUG": "1",
            "DJANGO_SETTINGS_MODULE": "socialsite.settings",
            "DYNAMODB_ENDPOINT": endpoint,
            "DYNAMODB_TABLE": table_name(),
        },
        input="correct horse battery\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0, (name, done.stdout)
    assert f"The table {table_name()} is encrypted with the key" in done.stderr, name
    assert "Traceback" not in done.stderr, name


@pytest.mark.usefixtures("connect_to_the_same_table_afterwards")
def test_creating_a_table_twice_keeps_its_state(table):
    before = state().serialize()
    assert not create_table()
    assert state().serialize() == before
    assert client()


# An item without a type, or damaged, is named by its key: `audit` and `workbench export` say which, and go on.

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

"""Table, `DATA_KEY` and code belong together; what does not is refused in one sentence, before anything is read."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from socialsite.data_keys import current_key
from socialsite.table import Item, Unavailable, change, get, keys, write_batch
from socialsite.table import connection as connecting
from socialsite.table.connection import client, connection, disconnect, table_name
from socialsite.table.data_state import DATA_VERSION, WrongData
from socialsite.table.models import DataState
from socialsite.table.schema import create_table
from tests.conftest import person
from tests.engine.processes import PROJECT
from tests.faults.processes import own_engine
from tests.injected.rotation import share
from tests.tables import use_table

OTHER = "another data key that is long enough as well"


@pytest.fixture(autouse=True)
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


def test_a_new_table_notes_its_version_and_key(table):
    assert (state().version, state().key_ids) == (DATA_VERSION, {current_key().id})
    assert current_key().text not in str(state().serialize())


def test_another_key_is_refused(table, settings):
    settings.DATA_KEY = OTHER
    with pytest.raises(WrongData, match=r"is encrypted with the key .*: set DATA_KEY"):
        connect_anew()


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


def test_newer_data_are_refused(table):
    newer = DATA_VERSION + 1
    change(DataState, keys.data_state(), [DataState.version.set(newer)])
    with pytest.raises(WrongData, match=f"has data of version {newer}, .*: start the newer code"):
        connect_anew()


def test_a_table_of_an_earlier_version_is_taken_as_it_is(alice):
    write_batch(deletes=[keys.data_state()])
    connect_anew()
    assert state().key_ids == {current_key().id}
    assert state().first_start is None


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


def test_creating_a_table_twice_keeps_its_state(table):
    before = state().serialize()
    assert not create_table()
    assert state().serialize() == before
    assert client()

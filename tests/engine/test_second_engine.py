"""DynamoDB Local does as embedded engine what dynoxide does: it is owned, attached to, revived, kept and copied."""

import os
import shutil
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.config import Config
from botocore.session import Session

from operations.backup.create import Manifest, create_backup
from operations.backup.restore import restore_backup
from socialsite.engine import process, running
from socialsite.engine.dynamodb_local import DYNAMODB_LOCAL, FOLDER, find_java
from socialsite.engine.program import EngineError
from tests.engine.processes import PROJECT, engine_pids
from tests.engine.table import TABLE, create_table, names, put
from tests.engine.test_engine_ownership import eventually
from tests.engine.test_engine_takeover import owner_pid

StartSite = Callable[..., Any]
SLOW = 21  # seconds


@pytest.fixture(autouse=True)
def chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    try:
        DYNAMODB_LOCAL.find(PROJECT)
    except EngineError as error:
        pytest.skip(str(error))
    yield
    running.stop_owned()


def connect(endpoint: running.Endpoint, key: str = "") -> Any:
    return Session().create_client(
        "dynamodb",
        region_name="us-east-1",
        endpoint_url=endpoint.url,
        aws_access_key_id=key or endpoint.access_key,
        aws_secret_access_key="x",
        config=Config(proxies={}),
    )


def ensure(data_dir: Path) -> running.Endpoint:
    return running.ensure_running(project=PROJECT, data_dir=data_dir, table_name=TABLE)


def test_it_is_attached_to_survives_kill_9_and_keeps_its_data(
    start_site: StartSite, tmp_path: Path
) -> None:
    endpoint = ensure(tmp_path)
    client = connect(endpoint)
    create_table(client)
    put(client, "kept")
    assert start_site().endpoint() == {"url": endpoint.url, "owner": False}
    assert connect(endpoint, key="stranger").list_tables()["TableNames"] == []
    (pid,) = engine_pids(tmp_path)
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: engine_pids(tmp_path) not in ([], [pid]), 30)
    assert eventually(lambda: process.answers(endpoint.url), 30)
    assert names(client) == ["kept"]
    assert {
        stat.S_IMODE(file.stat().st_mode) & 0o077 for file in (tmp_path / FOLDER).iterdir()
    } == {0}


def test_an_attached_process_takes_it_over_after_kill_9_of_its_owner(
    start_site: StartSite, tmp_path: Path
) -> None:
    owner, attached = start_site(), start_site()
    url = owner.endpoint()["url"]
    if attached.endpoint()["owner"]:
        owner, attached = attached, owner
    client = connect(running.Endpoint(url, DYNAMODB_LOCAL.access_key(tmp_path), owner=False))
    create_table(client)
    put(client, "before")
    owner.kill()
    assert eventually(lambda: owner_pid(tmp_path) == attached.popen.pid, 30)
    assert process.answers(url)
    put(client, "after")
    assert names(client) == ["after", "before"]
    assert len(engine_pids(tmp_path)) == 1
    attached.popen.communicate(timeout=20)
    assert not engine_pids(tmp_path)


def test_a_process_waits_for_its_owner_as_long_as_the_engine_may_take_to_start(
    start_site: StartSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a slow machine Java takes longer than any other program."""
    slow = tmp_path / "bin" / "java"
    slow.parent.mkdir()
    slow.write_text(f'#!/bin/sh\n[ "$1" = -version ] || sleep {SLOW}\nexec {find_java()} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
    endpoints = [site.endpoint() for site in (start_site(), start_site())]
    assert sorted(endpoint["owner"] for endpoint in endpoints) == [False, True]


def test_a_backup_is_restored_where_its_program_finds_it(tmp_path: Path) -> None:
    site, other, file = tmp_path / "site", tmp_path / "other", tmp_path / "site.tar.gz"
    client = connect(ensure(site))
    create_table(client)
    put(client, "kept")
    manifest = Manifest(made_at="now", table=TABLE, data_version=1, key_ids=[])
    create_backup(data_dir=site, target=file, manifest=manifest, on_bytes=lambda *_: None)
    put(client, "later")
    running.stop_owned()
    restore_backup(file, data_dir=other, newest_version=1, given_keys=[])
    restored = ensure(other)
    assert names(connect(restored)) == ["kept"]
    assert restored.access_key != DYNAMODB_LOCAL.access_key(site)


def test_a_lost_database_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    create_table(connect(ensure(tmp_path)))
    assert eventually((tmp_path / "engine.table").exists)
    running.stop_owned()
    shutil.rmtree(tmp_path / FOLDER)
    with pytest.raises(EngineError, match="is gone or empty"):
        ensure(tmp_path)


def test_it_ends_before_the_disk_is_full_as_it_would_lose_what_it_acknowledged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ensure(tmp_path)
    room = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: room._replace(free=49_000_000))
    assert eventually(lambda: not engine_pids(tmp_path))
    assert "Make room" in running.data_problem(tmp_path)
    running.stop_owned()
    with pytest.raises(EngineError, match="less than 50 MB left"):
        ensure(tmp_path)
    monkeypatch.undo()
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    assert ensure(tmp_path).owner

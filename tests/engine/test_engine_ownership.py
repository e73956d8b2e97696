"""One engine per data folder: who starts it, who attaches, and who ends it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from socialsite.engine import lock, process, running
from socialsite.engine.dynoxide import DYNOXIDE
from socialsite.engine.program import EngineError
from tests.engine.processes import PROJECT, RunningTable, engine_pids
from tests.engine.table import connect, create_table, names, put

StartSite = Callable[..., Any]


def test_the_owner_leaves_no_process_and_no_state_behind(
    start_site: StartSite, tmp_path: Path
) -> None:
    site = start_site()
    endpoint = site.endpoint()
    assert endpoint["owner"]
    assert process.answers(endpoint["url"])
    site.exit()
    assert not engine_pids(tmp_path)
    assert lock.read_state(tmp_path) is None


def test_a_second_process_attaches_and_leaves_the_engine_to_its_owner(
    start_site: StartSite, tmp_path: Path
) -> None:
    first = start_site()
    owned = first.endpoint()
    second = start_site()
    attached = second.endpoint()
    assert attached == {"url": owned["url"], "owner": False}
    second.exit()
    assert process.answers(owned["url"])
    assert len(engine_pids(tmp_path)) == 1


def test_processes_that_start_at_once_end_up_with_one_engine(
    start_site: StartSite, tmp_path: Path
) -> None:
    sites = [start_site() for _ in range(4)]
    endpoints = [site.endpoint() for site in sites]
    assert len({endpoint["url"] for endpoint in endpoints}) == 1
    assert sorted(endpoint["owner"] for endpoint in endpoints) == [False, False, False, True]
    assert len(engine_pids(tmp_path)) == 1


def test_asking_twice_in_a_process_gives_the_same_engine(tmp_path: Path) -> None:
    try:
        first = ensure(tmp_path)
        assert ensure(tmp_path) is first
        assert first.owner
    finally:
        running.stop_owned()
    assert not engine_pids(tmp_path)


def test_the_engine_is_out_of_reach_of_a_terminals_ctrl_c(tmp_path: Path) -> None:
    try:
        ensure(tmp_path)
        (pid,) = engine_pids(tmp_path)
        assert os.getpgid(pid) != os.getpgid(0)
        assert os.getsid(pid) != os.getsid(0)
    finally:
        running.stop_owned()


def test_a_forked_child_neither_owns_nor_ends_the_engine(start_site: StartSite) -> None:
    site = start_site("fork")
    owned = site.endpoint()
    assert site.endpoint() == {"url": owned["url"], "owner": False}
    assert site.popen.stdout.readline() == "the child has ended\n"
    assert process.answers(owned["url"])
    site.exit()


def test_a_forked_child_does_not_keep_the_lock_of_a_dead_owner(
    start_site: StartSite, tmp_path: Path
) -> None:
    fork_and_die = (
        "import os, sys, time\n"
        f"sys.path[:0] = [{str(PROJECT)!r}]\n"
        "from pathlib import Path\n"
        "from socialsite.engine.running import ensure_running\n"
        f"ensure_running(project=Path({str(PROJECT)!r}), data_dir=Path({str(tmp_path)!r}), "
        "table_name='socialsite')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    time.sleep(30)\n"
        "    os._exit(0)\n"
        "Path(sys.argv[1]).write_text(str(child))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    child_file = tmp_path / "child"
    assert os.spawnl(os.P_WAIT, sys.executable, "python", "-c", fork_and_die, child_file) == -9
    child = int(child_file.read_text())
    try:
        assert process.is_alive(child)
        assert start_site().endpoint()["owner"]
    finally:
        os.kill(child, signal.SIGKILL)


def test_after_kill_9_of_the_owner_the_data_is_there_and_the_orphan_is_gone(
    start_site: StartSite, tmp_path: Path
) -> None:
    # Not bound to its owner's life, as everywhere but on Linux.
    engine = process.start(DYNOXIDE, PROJECT, tmp_path, die_with_starter=False)
    client = connect(engine.url)
    create_table(client)
    put(client, "kept")
    (orphan,) = engine_pids(tmp_path)
    dead = subprocess.Popen(["true"])
    dead.wait()
    lock.write_state(tmp_path, lock.State(engine.url, orphan, owner_pid=dead.pid))

    endpoint = start_site().endpoint()
    assert endpoint["owner"]
    assert not process.is_alive(orphan)
    assert len(engine_pids(tmp_path)) == 1
    assert names(connect(endpoint["url"])) == ["kept"]


def test_nobody_attaches_to_an_orphan_that_its_successor_is_about_to_end(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    (orphan,) = engine_pids(table.data_dir)
    lock.write_state(table.data_dir, lock.State(table.url, orphan, owner_pid=dead.pid))
    successor = lock.try_lock(table.data_dir)
    assert successor is not None
    monkeypatch.setattr(running, "ATTACH_STARTS", 0.01)
    with pytest.raises(EngineError, match="does not answer"):
        ensure(table.data_dir)
    os.close(successor)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
@pytest.mark.parametrize("asked_from", ["main", "thread"])
@pytest.mark.parametrize("engine_is", ["running", "frozen"])
def test_the_engine_ends_with_an_owner_that_is_killed(
    start_site: StartSite, tmp_path: Path, asked_from: str, engine_is: str
) -> None:
    site = start_site(asked_from)
    site.endpoint()
    (pid,) = engine_pids(tmp_path)
    if engine_is == "frozen":
        os.kill(pid, signal.SIGSTOP)
    site.kill()
    assert eventually(lambda: not process.is_alive(pid))


def test_an_engine_that_dies_comes_back_at_the_same_address_with_its_data(tmp_path: Path) -> None:
    try:
        endpoint = ensure(tmp_path)
        client = connect(endpoint.url)
        create_table(client)
        put(client, "kept")
        (first,) = engine_pids(tmp_path)
        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: first not in engine_pids(tmp_path))
        assert eventually(lambda: process.answers(endpoint.url))
        assert names(client) == ["kept"]
        assert eventually(lambda: published_engine(tmp_path) == engine_pids(tmp_path))
    finally:
        running.stop_owned()


def ensure(data_dir: Path) -> running.Endpoint:
    return running.ensure_running(project=PROJECT, data_dir=data_dir, table_name="socialsite")


def published_engine(data_dir: Path) -> list[int]:
    state = lock.read_state(data_dir)
    return [state.engine_pid] if state else []


def eventually(holds: Callable[[], bool], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()

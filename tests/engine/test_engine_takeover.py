"""When the owner of the engine goes, another process of the same data folder takes over at the same address."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from socialsite.engine import lock, process
from tests.engine.processes import SiteProcess, engine_pids
from tests.engine.table import connect, create_table, names, put
from tests.engine.test_engine_ownership import eventually

StartSite = Callable[..., Any]


def owner_pid(data_dir: Path) -> int:
    state = lock.read_state(data_dir)
    return state.owner_pid if state else 0


@pytest.mark.parametrize("ending", [SiteProcess.exit, SiteProcess.kill], ids=["exit", "kill -9"])
def test_an_attached_process_takes_over_with_the_data_at_the_same_address(
    start_site: StartSite, tmp_path: Path, ending: Callable[[SiteProcess], None]
) -> None:
    first = start_site()
    url = first.endpoint()["url"]
    client = connect(url)
    create_table(client)
    put(client, "before")
    second = start_site()
    assert second.endpoint() == {"url": url, "owner": False}
    ending(first)
    assert eventually(lambda: owner_pid(tmp_path) == second.popen.pid)
    put(client, "after")
    assert names(client) == ["after", "before"]
    assert len(engine_pids(tmp_path)) == 1
    second.popen.communicate(timeout=20)
    assert not engine_pids(tmp_path)
    assert lock.read_state(tmp_path) is None


def test_of_several_one_takes_over_each_time(start_site: StartSite, tmp_path: Path) -> None:
    sites = {site.popen.pid: site for site in (start_site() for _ in range(4))}
    (url,) = {site.endpoint()["url"] for site in sites.values()}
    while len(sites) > 1:
        assert eventually(lambda: owner_pid(tmp_path) in sites)
        sites.pop(owner_pid(tmp_path)).kill()
        assert eventually(lambda: process.answers(url))
        assert len(engine_pids(tmp_path)) == 1


def test_a_process_that_comes_in_between_uses_the_address_that_others_know(
    start_site: StartSite, tmp_path: Path
) -> None:
    first = start_site()
    url = first.endpoint()["url"]
    attached = start_site()
    attached.endpoint()
    attached.popen.send_signal(signal.SIGSTOP)  # so that it is not the one that takes over
    first.kill()
    newcomer = start_site()
    assert newcomer.endpoint() == {"url": url, "owner": True}
    attached.popen.send_signal(signal.SIGCONT)


def test_without_anybody_attached_the_next_start_gets_a_new_address(
    start_site: StartSite,
) -> None:
    first = start_site()
    url = first.endpoint()["url"]
    first.kill()
    assert start_site().endpoint()["url"] != url


def test_nobody_takes_over_other_data(start_site: StartSite, tmp_path: Path) -> None:
    first = start_site()
    first.endpoint()
    second = start_site()
    second.endpoint()
    os.kill(first.popen.pid, signal.SIGSTOP)  # it would notice by itself
    (tmp_path / "dynamodb.sqlite3").unlink()
    first.kill()
    assert eventually(lambda: not engine_pids(tmp_path))
    second.popen.stdin.close()
    second.popen.stdin = None
    errors = second.popen.stderr.read()
    assert second.popen.wait(timeout=20) == 0
    assert not (tmp_path / "dynamodb.sqlite3").exists()
    assert "Traceback" not in errors

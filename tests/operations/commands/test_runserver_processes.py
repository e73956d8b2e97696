"""What becomes of a site when its first start or one of its processes is killed, a second one starts, or data vanish.

Real processes: the command as a person types it, its auto-reloader, its engine. What can happen in two ways happens
in one of them a run, and in both with `FAULTS=long`.
"""

import os
import shutil
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.faults.test_killed_first_start import is_loading
from tests.injected.rotation import describe, share
from tests.operations.commands.test_runserver import Site, processes_of, running

pytestmark = [
    pytest.mark.engines("embedded", reason="the command starts its own engine"),
    pytest.mark.timeout(1200),
]

SECONDS = 180  # on a busy machine


def status(site: Site, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{site.port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def eventually(holds) -> bool:
    until = time.monotonic() + SECONDS
    while not holds() and time.monotonic() < until:
        time.sleep(0.1)
    return holds()


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        return probe.connect_ex(("127.0.0.1", port)) != 0


def end_for_good(site: Site) -> None:
    with suppress(ProcessLookupError):
        os.killpg(site.process.pid, signal.SIGKILL)
    site.process.wait()


@pytest.fixture
def one_way(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Callable[..., list[tuple[Any, Path]]]:
    """`one_way(this, that)`: one of them, or both, each with a data folder of its own that does not exist yet."""

    def draw(*ways: Any) -> list[tuple[Any, Path]]:
        drawn = share(enumerate(ways), one_of=len(ways), salt=request.node.name)
        print(describe(request.node.name, len(ways), len(drawn)))
        return [(way, folder(number)) for number, way in drawn]

    def folder(number: int) -> Path:
        (tmp_path / str(number)).mkdir()
        return tmp_path / str(number) / "var"

    return draw


def test_of_two_sites_on_one_folder_the_second_goes_on_when_the_first_ends(one_way):
    for ending, data_dir in one_way("ctrl-c", "kill -9"):
        second_goes_on(data_dir, ending)


def second_goes_on(data_dir: Path, ending: str) -> None:
    with running(data_dir, DEMO="0") as first, running(data_dir, DEMO="0") as second:
        assert status(second, "/readyz")[0] == 200
        if ending == "ctrl-c":
            first.stop()
        else:
            first.process.kill()
            first.process.wait()
        assert eventually(lambda: is_free(first.port))
        assert eventually(lambda: status(second, "/readyz")[0] == 200)
        assert status(second, "/local")[0] == 200
        second.stop()
        assert eventually(lambda: not processes_of(data_dir))


def test_a_killed_site_leaves_neither_engine_nor_server_and_its_port_is_free(tmp_path):
    data_dir = tmp_path / "var"
    with ExitStack() as stack:
        site = Site(data_dir, DEMO="0")
        stack.callback(end_for_good, site)
        site.wait_for("socialsite is at")
        site.process.kill()  # the process that a person sees; its server is a child
        site.process.wait()
        assert eventually(lambda: is_free(site.port))
        assert eventually(lambda: not processes_of(data_dir))


def test_a_first_start_shows_demo_data_also_after_a_killed_one_and_the_next_keeps_it(one_way):
    for is_killed, data_dir in one_way(False, True):
        if is_killed:
            kill_while_loading(data_dir)
        with running(data_dir) as site:
            assert "Demo data" in site.output()
            assert "Sign in as alice" in site.output()
            assert ("An earlier start was interrupted" in site.output()) is is_killed
            assert "@alice" in site.get("/@alice")
        assert not processes_of(data_dir)
        with running(data_dir) as site:
            assert "Demo data" not in site.output()
            assert "@alice" in site.get("/@alice")


def kill_while_loading(data_dir: Path) -> None:
    with ExitStack() as stack:
        site = Site(data_dir)
        stack.callback(end_for_good, site)
        assert eventually(lambda: is_loading(data_dir))
    assert "Sign in as" not in site.output()


def test_a_site_whose_data_vanish_says_so_and_never_begins_anew(one_way):
    for lost, data_dir in one_way("var", "dynamodb.sqlite3"):
        says_so_and_never_begins_anew(data_dir, lost)


def says_so_and_never_begins_anew(data_dir: Path, lost: str) -> None:
    with ExitStack() as stack:
        site = Site(data_dir, DEMO="0")
        stack.callback(end_for_good, site)
        site.wait_for("socialsite is at")
        began = time.monotonic()
        shutil.rmtree(data_dir) if lost == "var" else (data_dir / lost).unlink()
        assert eventually(lambda: status(site, "/readyz")[0] == 503)
        assert "is gone while the site runs" in status(site, "/readyz")[1]
        print(f"\n{lost} gone: told after {time.monotonic() - began:.1f} s")
        assert status(site, "/")[0] == 503
        # A change of the code starts the server anew, which must not make new data.
        os.utime(site.own_code)
        assert eventually(lambda: site.process.poll() is not None or "gone" in site.output())
        assert not (data_dir / "dynamodb.sqlite3").exists()
        assert site.output().count("Demo data") == site.output().split("socialsite is at")[0].count(
            "Demo data"
        )

"""What becomes of a running site when one of its processes is killed, a second one starts, or its data vanish.

Real processes: the command as a person types it, its auto-reloader, its engine.
"""

import os
import shutil
import signal
import socket
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, suppress

import pytest

from tests.faults.test_killed_first_start import is_loading
from tests.operations.commands.test_runserver import ROOT, Site, processes_of, running

pytestmark = pytest.mark.engines("embedded", reason="the command starts its own engine")

SECONDS = 60  # on a busy machine


def status(site: Site, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{site.port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def eventually(holds, seconds: float = SECONDS) -> bool:
    until = time.monotonic() + seconds
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


@pytest.mark.parametrize("ending", ["ctrl-c", "kill -9"])
def test_of_two_sites_on_one_folder_the_second_goes_on_when_the_first_ends(tmp_path, ending):
    data_dir = tmp_path / "var"
    with running(data_dir, DEMO="0") as first, running(data_dir, DEMO="0") as second:
        assert status(second, "/readyz")[0] == 200
        if ending == "ctrl-c":
            first.stop()
        else:
            first.process.kill()
            first.process.wait()
        assert eventually(lambda: is_free(first.port))
        assert eventually(lambda: status(second, "/readyz")[0] == 200, 15)
        assert status(second, "/local")[0] == 200
        second.stop()
        assert eventually(lambda: not processes_of(data_dir), 5)


def test_a_killed_site_leaves_neither_engine_nor_server_and_its_port_is_free(tmp_path):
    data_dir = tmp_path / "var"
    with ExitStack() as stack:
        site = Site(data_dir, DEMO="0")
        stack.callback(end_for_good, site)
        site.wait_for("socialsite is at")
        site.process.kill()  # the process that a person sees; its server is a child
        site.process.wait()
        assert eventually(lambda: is_free(site.port), 15)
        assert eventually(lambda: not processes_of(data_dir), 15)


def test_a_first_start_that_was_killed_is_finished_by_the_next(tmp_path):
    data_dir = tmp_path / "var"
    with ExitStack() as stack:
        site = Site(data_dir)
        stack.callback(end_for_good, site)
        assert eventually(lambda: is_loading(data_dir))
    assert "Sign in as" not in site.output()
    with running(data_dir) as again:
        assert "An earlier start was interrupted" in again.output()
        assert "Sign in as alice" in again.output()
        assert "@alice" in again.get("/@alice")


@pytest.mark.parametrize("lost", ["var", "dynamodb.sqlite3"])
def test_a_site_whose_data_vanish_says_so_and_never_begins_anew(tmp_path, lost):
    data_dir = tmp_path / "var"
    with ExitStack() as stack:
        site = Site(data_dir, DEMO="0")
        stack.callback(end_for_good, site)
        site.wait_for("socialsite is at")
        began = time.monotonic()
        shutil.rmtree(data_dir) if lost == "var" else (data_dir / lost).unlink()
        assert eventually(lambda: status(site, "/readyz")[0] == 503, 10)
        assert "is gone while the site runs" in status(site, "/readyz")[1]
        print(f"\n{lost} gone: told after {time.monotonic() - began:.1f} s")
        assert status(site, "/")[0] == 503
        # A change of the code starts the server anew, which must not make new data.
        os.utime(ROOT / "feed" / "forms.py")
        assert eventually(lambda: site.process.poll() is not None or "gone" in site.output())
        assert not (data_dir / "dynamodb.sqlite3").exists()
        assert site.output().count("Demo data") == site.output().split("socialsite is at")[0].count(
            "Demo data"
        )

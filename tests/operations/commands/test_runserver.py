"""One command runs the whole site, also when a process of it dies, and leaves nothing behind."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from socialsite.engine.database import has_table, open_for_reading
from tests.faults.test_killed_first_start import is_loading
from tests.injected.faults import describe, share

# One command runs the whole site, and leaves nothing behind.
#
# Real processes: the command as a person types it, its engine, its worker, its auto-reloader.

ROOT = Path(__file__).resolve().parents[3]
embedded_alone = pytest.mark.engines("embedded", reason="the command starts its own engine")

START_SECONDS = 300  # with demo data, on a busy machine


class Site:
    """A running `manage.py runserver`."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("AWS_", "DYNAMODB_"))
        }
        secrets = ("SECRET_KEY", "DATA_KEY", "DJANGO_SETTINGS_MODULE", "DEBUG")
        clean = {name: value for name, value in clean.items() if name not in secrets}
        self.port = free_port()
        self.log = data_dir.parent / f"site-{self.port}.log"
        # Code of this site alone: a change of the project's own would start those of other tests anew, too.
        self.own_code = data_dir.parent / f"code-{self.port}" / "sitecustomize.py"
        self.own_code.parent.mkdir()
        self.own_code.touch()
        own = {"DATA_DIR": str(data_dir), "PYTHONPATH": str(self.own_code.parent)}
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "runserver", str(self.port)],
            cwd=ROOT,
            env=clean | own | {"PYTHONUNBUFFERED": "1"} | environment,
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def output(self) -> str:
        return self.log.read_text()

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def wait_for(self, text: str, times: int = 1) -> None:
        until = time.monotonic() + START_SECONDS
        while self.output().count(text) < times:
            assert self.process.poll() is None, self.output()
            assert time.monotonic() < until, self.output()
            time.sleep(0.05)

    def change_until_reloaded(self) -> None:
        """Changes its code each second: the reloader may not have looked at it yet."""
        until = time.monotonic() + START_SECONDS
        while self.output().count("socialsite is at") < 2:
            assert time.monotonic() < until, self.output()
            os.utime(self.own_code)
            time.sleep(1)

    def stop(self) -> None:
        """Ctrl-C in a terminal: SIGINT to the whole process group."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(timeout=60)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(data_dir: Path, **environment: str) -> Iterator[Site]:
    site = Site(data_dir, **environment)
    try:
        site.wait_for("socialsite is at")
        yield site
    finally:
        if site.process.poll() is None:
            site.stop()


def holds_table(database: Path) -> bool:
    with open_for_reading(database) as connection:
        return has_table(connection, "socialsite")


def processes_of(data_dir: Path) -> list[str]:
    listing = subprocess.run(
        ["ps", "-ww", "-eo", "args"], capture_output=True, text=True, check=True
    )
    return [line for line in listing.stdout.splitlines() if str(data_dir) in line]


@embedded_alone
@pytest.mark.timeout(700)
def test_demo_0_starts_empty_reloads_its_code_beside_its_engine_and_leaves_no_process(tmp_path):
    data_dir = tmp_path / "var"
    with running(data_dir, DEMO="0") as site:
        assert "Sign in as" not in site.output()
        assert site.get("/readyz")
        engine = [line for line in processes_of(data_dir) if "dynoxide" in line]
        site.change_until_reloaded()
        assert [line for line in processes_of(data_dir) if "dynoxide" in line] == engine
        create_admin = [
            sys.executable,
            "manage.py",
            "createadmin",
            "boss_of_it",
            "--email=b@example.org",
        ]
        environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if not name.startswith(("AWS_", "DYNAMODB_"))
            },
            "DATA_DIR": str(data_dir),
            "DJANGO_SETTINGS_MODULE": "socialsite.settings",
        }
        for name in ("SECRET_KEY", "DATA_KEY"):
            environment.pop(name, None)
        # A command beside the running server works on the same engine.
        subprocess.run(
            [*create_admin, "--password-stdin"],
            input="correct horse battery\n",
            text=True,
            cwd=ROOT,
            env=environment,
            check=True,
        )
        assert "boss_of_it" in site.get("/@boss_of_it")
        assert engine
    assert not processes_of(data_dir)


@embedded_alone
@pytest.mark.timeout(700)
def test_a_taken_port_is_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = subprocess.run(
            [sys.executable, "manage.py", "runserver", str(port)],
            cwd=ROOT,
            env=os.environ | {"DATA_DIR": str(tmp_path), "DYNAMODB_ENDPOINT": ""},
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    assert answer.returncode == 1
    assert re.search(rf"Port {port} is in use\. .*ADDRESS={port + 1} make run", answer.stderr)
    assert "run `python3 manage.py doctor`" in answer.stderr
    assert "Traceback" not in answer.stderr
    assert not processes_of(tmp_path)


# What becomes of a site when its first start or one of its processes is killed, a second one starts, or data
# vanish.
#
# Real processes: the command as a person types it, its auto-reloader, its engine. What can happen in two ways
# happens in one of them a run, and in both with `FAULTS=long`.

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


@embedded_alone
@pytest.mark.timeout(1200)
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


@embedded_alone
@pytest.mark.timeout(1200)
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


@embedded_alone
@pytest.mark.timeout(1200)
@pytest.mark.long
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


@embedded_alone
@pytest.mark.timeout(1200)
def test_a_site_whose_data_vanish_says_so_and_never_begins_anew(one_way):
    for lost, data_dir in one_way("var", "dynamodb.sqlite3"):
        says_so_and_never_begins_anew(data_dir, lost)


def says_so_and_never_begins_anew(data_dir: Path, lost: str) -> None:
    with ExitStack() as stack:
        site = Site(data_dir, DEMO="0")
        stack.callback(end_for_good, site)
        site.wait_for("socialsite is at")
        began = time.monotonic()
        database = data_dir / "dynamodb.sqlite3"
        if lost == "var":  # at once: while files go one after another, the engine may make one anew
            shutil.rmtree(data_dir.rename(data_dir.with_name("gone")))
        else:
            database.unlink()
        assert eventually(lambda: status(site, "/readyz")[0] == 503)
        # A connection of the engine may have made an empty file in its place meanwhile: it "was replaced" then.
        assert "while the site runs" in status(site, "/readyz")[1]
        print(f"\n{lost} gone: told after {time.monotonic() - began:.1f} s")
        assert status(site, "/")[0] == 503
        # A change of the code starts the server anew, which must not make new data.
        os.utime(site.own_code)
        assert eventually(lambda: site.process.poll() is not None or "gone" in site.output())
        # Where only the file went, a connection that the engine opens may leave an empty one.
        assert not database.exists() or (lost != "var" and not holds_table(database))
        assert site.output().count("Demo data") == site.output().split("socialsite is at")[0].count(
            "Demo data"
        )

"""One command runs the whole site, and leaves nothing behind.

Real processes: the command as a person types it, its engine, its worker, its auto-reloader.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
pytestmark = [
    pytest.mark.engines("embedded", reason="the command starts its own engine"),
    pytest.mark.timeout(700),
]

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


def processes_of(data_dir: Path) -> list[str]:
    listing = subprocess.run(
        ["ps", "-ww", "-eo", "args"], capture_output=True, text=True, check=True
    )
    return [line for line in listing.stdout.splitlines() if str(data_dir) in line]


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

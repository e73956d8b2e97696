"""`make serve` as a person runs it: the processes, and a browser of sorts."""

import http.client
import os
import signal
import ssl
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from operations.serving.nginx import find_nginx, free_addresses
from socialsite.engine.lock import read_state
from tests.conftest import PASSWORD

ROOT = Path(__file__).resolve().parents[3]
START_SECONDS = 100
STOP_SECONDS = 60
NOT_OURS = ("AWS_", "DYNAMODB_", "DJANGO_", "SECRET_KEY", "DATA_KEY", "DEBUG", "STAFF_")
UNVERIFIED = ssl._create_unverified_context()
needs_nginx = pytest.mark.skipif(
    find_nginx({}) is None, reason="nginx is not installed: run tools/install-nginx"
)


class Served:
    """A running `python -m operations.serving`, with a data folder of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.data_dir = folder / "var"
        self.port = int(free_addresses(1)[0].rpartition(":")[2])
        self.log = folder / f"serving-{self.port}.log"
        self.own_tmp = folder / "tmp"  # it notes there that it is served, and others are too
        self.own_tmp.mkdir(exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
        own = {
            "ADDRESS": str(self.port),
            "DATA_DIR": str(self.data_dir),
            "STATIC_ROOT": str(folder / "static"),
            "WEB_CONCURRENCY": "2",
            "TMPDIR": str(self.own_tmp),
            "PYTHONUNBUFFERED": "1",
            "SPT_NOENV": "1",  # a title that gunicorn gives a process leaves its environment (`processes_on`)
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "operations.serving"],
            cwd=ROOT,
            env=kept | own | environment,
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    @property
    def output(self) -> str:
        return self.log.read_text()

    @property
    def engine_pid(self) -> int:
        state = read_state(self.data_dir)
        assert state is not None
        return state.engine_pid

    def wait_until_told(self) -> None:
        until = time.monotonic() + START_SECONDS
        while "Ctrl-C stops it" not in self.output:
            assert self.process.poll() is None, self.output
            assert time.monotonic() < until, self.output
            time.sleep(0.05)

    def processes(self) -> list[int]:
        return processes_on(self.data_dir)

    def child(self, name: bytes) -> int:
        """The process that the command started under that name, 0 if there is none."""
        for pid in children_of(self.process.pid):
            with suppress(OSError):
                if name in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return pid
        return 0

    def wait_until_gone(self) -> None:
        until = time.monotonic() + STOP_SECONDS
        while left := self.processes():
            assert time.monotonic() < until, (left, self.output)
            time.sleep(0.05)

    def stop(self) -> int:
        """Ctrl-C in a terminal: SIGINT to the group that it runs."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(STOP_SECONDS)

    def browser(self) -> "Browser":
        return Browser(self.port)


class Browser:
    """Asks over https (or plainly, a site in debug mode), keeps cookies, and sends forms."""

    def __init__(self, port: int, *, plainly: bool = False) -> None:
        self.port = port
        self.plainly = plainly
        self.cookies: dict[str, str] = {}
        self.answer: http.client.HTTPResponse

    @property
    def headers(self) -> dict[str, str]:
        host = f"localhost:{self.port}"
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        scheme = "http" if self.plainly else "https"
        return {"Host": host, "Origin": f"{scheme}://{host}", "Cookie": cookies}

    def get(self, path: str, host: str = "", token: str = "") -> str:
        headers = {"Host": host} if host else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        return self._ask("GET", path, "", headers)

    def post(self, path: str, **form: str) -> str:
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        form["csrfmiddlewaretoken"] = self.cookies["csrf" if self.plainly else "__Host-csrf"]
        return self._ask("POST", path, urlencode(form), kind)

    def send_file(self, path: str, field: str, content: bytes) -> str:
        """As a form without script does."""
        fields = {"csrfmiddlewaretoken": self.cookies["__Host-csrf"]}
        form = {**fields, field: SimpleUploadedFile("a.jpg", content, "image/jpeg")}
        return self._ask(
            "POST", path, encode_multipart(BOUNDARY, form), {"Content-Type": MULTIPART_CONTENT}
        )

    def sign_up(self, handle: str) -> None:
        self.get("/signup")
        email = f"{handle}@example.org"
        page = self.post("/signup", handle=handle, name=handle, email=email, password=PASSWORD)
        assert self.answer.status == 302, page

    def say(self, content: str) -> None:
        page = self.post("/posts", content=content, nonce=uuid.uuid4().hex[:22])
        assert self.answer.status == 302, page

    def _ask(self, method: str, path: str, body: str | bytes, headers: dict[str, str]) -> str:
        connection = self._connect()
        connection.request(method, path, body or None, self.headers | headers)
        self.answer = connection.getresponse()
        text = self.answer.read().decode()
        for line in self.answer.msg.get_all("Set-Cookie", []):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        connection.close()
        return text

    def _connect(self) -> http.client.HTTPConnection:
        if self.plainly:
            return http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=30, context=UNVERIFIED)


def processes_on(data_dir: Path) -> list[int]:
    """Every process that works on this data folder, by what stands in its environment or command."""
    mark = str(data_dir).encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            said = (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark in said and state != "Z":
            found.append(int(folder.name))
    return found


def children_of(pid: int) -> set[int]:
    """Its living children, whichever of its threads started them."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found |= {int(child) for child in task.read_text().split()}
    return found


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Served]:
    site = Served(folder, **environment)
    try:
        site.wait_until_told()
        yield site
    finally:
        if site.process.poll() is None:
            os.killpg(site.process.pid, signal.SIGTERM)
            site.process.wait(STOP_SECONDS)

"""gunicorn by itself, with deploy/gunicorn.conf.py: its ports, and what is left of it."""

import http.client
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from operations.serving.nginx import free_addresses
from tests.faults.processes import wait_until
from tests.operations.serving.served import ROOT, children_of

pytestmark = pytest.mark.engines("embedded", reason="no engine is asked")


class Gunicorn:
    """A master with two workers, which serve tests/operations/serving/hello.py."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.app, health = free_addresses(2)
        self.log = folder / "gunicorn.log"
        own = {"GUNICORN_BIND": self.app, "HEALTH_BIND": health, "WEB_CONCURRENCY": "2"}
        command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
        self.process = subprocess.Popen(
            [*command, "tests.operations.serving.hello"],
            cwd=ROOT,
            env=os.environ | own | environment,
            stdout=self.log.open("w"),
            stderr=subprocess.STDOUT,
        )

    def connect(self) -> http.client.HTTPConnection:
        host, _, port = self.app.rpartition(":")
        return http.client.HTTPConnection(host, int(port), timeout=10)

    def answers(self) -> bool:
        try:
            connection = self.connect()
            connection.request("GET", "/")
            return connection.getresponse().status == 200
        except OSError:
            return False


@contextmanager
def gunicorn(folder: Path, **environment: str) -> Iterator[Gunicorn]:
    started = Gunicorn(folder, **environment)
    try:
        yield started
    finally:
        if started.process.poll() is None:
            started.process.send_signal(signal.SIGTERM)
            started.process.wait(60)


def test_a_port_for_health_that_is_in_use_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with gunicorn(tmp_path, HEALTH_BIND=address) as started:
            assert started.process.wait(60) == 1
    said = started.log.read_text()
    assert f"HEALTH_BIND is {address}, where gunicorn cannot listen" in said
    assert "Traceback" not in said


MALFORMED = (
    b"stranger's words\x1b[31m\r\n\r\n",
    b"GET /password/reset/stranger's\xff HTTP/1.1\r\n\r\n",
    b"GET / HTTP/stranger's\r\n\r\n",
    b"GET / HTTP/1.1\r\nstranger's words: x\r\n\r\n",
    b"POST / HTTP/1.1\r\nTransfer-Encoding: stranger's\r\n\r\n",
    b"POST / HTTP/1.1\r\nContent-Length: stranger's\r\n\r\n",
)


def test_the_log_names_what_is_wrong_with_a_request_and_nothing_that_was_sent(
    tmp_path: Path,
) -> None:
    """A malformed line can hold the token of a letter."""
    with gunicorn(tmp_path) as started:
        wait_until(started.answers, seconds=60)
        host, _, port = started.app.rpartition(":")
        for sent in MALFORMED:
            with socket.create_connection((host, int(port)), timeout=10) as stranger:
                stranger.sendall(sent)
                assert stranger.recv(12) in (b"HTTP/1.1 400", b"HTTP/1.1 501")
    said = started.log.read_text()
    assert "Invalid request from ip=127.0.0.1: InvalidRequestLine" in said
    assert said.count("Invalid request from ip=127.0.0.1: ") == len(MALFORMED)
    assert "stranger" not in said


def test_the_address_of_a_request_that_meets_a_fault_is_not_logged(tmp_path: Path) -> None:
    with gunicorn(tmp_path) as started:
        wait_until(started.answers, seconds=60)
        connection = started.connect()
        connection.request("GET", "/fault?of=stranger")
        assert connection.getresponse().status == 500
    said = started.log.read_text()
    assert "Error handling a request" in said
    assert "RuntimeError: a fault" in said
    assert "stranger" not in said


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux ends them")
def test_a_killed_master_leaves_no_worker_that_holds_the_port(tmp_path: Path) -> None:
    """Though someone sends slowly, for whom a worker that ends in order would wait."""
    with gunicorn(tmp_path) as started:
        wait_until(started.answers, seconds=60)
        slow = started.connect()
        slow.putrequest("POST", "/")
        slow.putheader("Content-Length", "10")
        slow.endheaders(b"half")
        wait_until(lambda: len(children_of(started.process.pid)) == 2, seconds=60)
        started.process.kill()
        started.process.wait()
        host, _, port = started.app.rpartition(":")
        wait_until(lambda: is_free(host, int(port)), seconds=graceful_timeout() * 0.75)
        slow.close()


def graceful_timeout() -> int:
    """In how many seconds a worker ends that is told to."""
    return int(runpy.run_path(str(ROOT / "deploy/gunicorn.conf.py"))["graceful_timeout"])


def is_free(host: str, port: int) -> bool:
    try:
        socket.create_server((host, port)).close()
    except OSError:
        return False
    return True

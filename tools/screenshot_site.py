"""A site of its own for pictures: fresh demo data in a folder that goes away afterwards."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECONDS_TO_START = 120  # a first start writes the demo data
SECONDS_TO_STOP = 15


class NoSite(Exception):
    """The site did not start; the text says why."""


@contextmanager
def site_at(address: str | None) -> Iterator[str]:
    """The address given, else that of a site which ends with the block."""
    if address:
        yield address
        return
    with tempfile.TemporaryDirectory(prefix="socialsite-screenshots-") as folder:
        own = f"127.0.0.1:{_free_port()}"
        command = [sys.executable, "manage.py", "runserver", "--noreload", own]
        # A shell's background job ignores Ctrl-C, and so would the site, as it inherits that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        log = Path(folder) / "log.txt"
        with log.open("wb") as output:
            server = subprocess.Popen(  # noqa: S603 - this project's own command
                command, cwd=ROOT, env=_environment(folder), stdout=output, stderr=output
            )
        try:
            _wait_until_healthy(f"http://{own}", server, log)
            yield f"http://{own}"
        finally:
            server.send_signal(signal.SIGINT)  # as Ctrl-C, so that it stops its engine too
            server.wait(SECONDS_TO_STOP)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _environment(folder: str) -> dict[str, str]:
    """The demo on its embedded engine, whatever else the environment is set up for."""
    others = ("AWS_", "DYNAMODB_", "MEDIA_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    return kept | {"DATA_DIR": folder, "DEMO": "1", "DEBUG": "1"}


def _wait_until_healthy(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=2).close()  # noqa: S310 - our own site
            return
        except OSError:
            time.sleep(0.2)
    lines = log.read_text().split("\n")
    said = next((line for line in reversed(lines) if line.strip()), "it said nothing")
    raise NoSite(f"the site did not start: {said}")

"""Real servers in processes of their own, which may write no file of more than 64 KB."""

import os
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LARGEST_FILE = 64 * 1024
RUNSERVER = (  # what `manage.py runserver` serves with, without its engine and worker
    "import sys; from django.core.servers.basehttp import run; from socialsite.wsgi import application; "
    "run('127.0.0.1', int(sys.argv[1]), application, threading=True)"
)
COMMANDS = {
    "gunicorn": [
        "-m",
        "gunicorn",
        "socialsite.wsgi",
        "--worker-class",
        "gthread",
        "--threads",
        "4",
    ],
    "runserver": ["-c", RUNSERVER],
}


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    process: subprocess.Popen[bytes]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def most_memory(self) -> int:
        """Returns the most bytes that the processes ever held, together."""
        return sum(_high_water(pid) for pid in self._pids())

    def _pids(self) -> list[int]:
        own = self.process.pid
        children = Path(f"/proc/{own}/task/{own}/children").read_text().split()
        return [own, *map(int, children)]


@contextmanager
def serving(name: str, data_dir: Path) -> Iterator[Server]:
    """Starts the server and waits until it answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, *COMMANDS[name]]
    command += ["--bind", f"127.0.0.1:{port}"] if name == "gunicorn" else [str(port)]
    environment = os.environ | {
        "DATA_DIR": str(data_dir),
        "DEBUG": "1",
        "DYNAMODB_ENDPOINT": "http://127.0.0.1:9",
        "DJANGO_SETTINGS_MODULE": "socialsite.settings",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": str(data_dir),
    }
    process = subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE)),
    )
    try:
        _wait_for(port, process)
        yield Server(port, process)
    finally:
        process.terminate()
        process.wait(20)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, "the server ended"
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as probe:
                probe.sendall(b"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n")
                if b" 200 " in probe.recv(100):
                    return
        except OSError:
            time.sleep(0.05)  # nobody listens yet
    raise AssertionError("the server does not answer")


def _high_water(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024

"""A server as it runs behind a proxy that ends TLS: gunicorn as the project configures it, two workers of threads."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from benchmarks.production import environment, wait_for

WORKERS = 2
SERVERS: dict[int, int] = {}  # the process of the server at each port


@contextmanager
def behind_proxy(static_root: Path, **given: str) -> Iterator[int]:
    """The port of the site on the table at hand; `given` is more of its environment."""
    port, health = _free_port(), _free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
    command += ["--log-level", "error", "socialsite.wsgi"]
    with (
        Path(settings.DATA_DIR, f"server-{port}.log").open("wb") as log,
        subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            env=_environment(static_root, port, health) | given,
            stdout=log,
            stderr=log,
        ) as server,
    ):
        try:
            wait_for(port, server)
            SERVERS[port] = server.pid
            yield port
        finally:
            server.terminate()


def _environment(static_root: Path, port: int, health: int) -> dict[str, str]:
    return environment(static_root) | {
        "GUNICORN_BIND": f"127.0.0.1:{port}",
        "HEALTH_BIND": f"127.0.0.1:{health}",
        "WEB_CONCURRENCY": str(WORKERS),
        "TRUSTED_PROXY_HOPS": "1",
        "DYNAMODB_WEB_SECONDS": "5",  # eight at once wait for each other longer than readers would
        "PYTHONPATH": os.fspath(settings.BASE_DIR),
    }


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

"""The site as operators serve it: gunicorn over TLS, collected static files, settings of production."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from operations.serving.nginx import make_certificate
from socialsite.table.connection import table_name

SECONDS_TO_START = 30
COOKIE = "__Host-session"


def collect_static(folder: Path) -> Path:
    """Hashed and compressed, as `collectstatic` leaves them for production."""
    root = folder / "static"
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
    subprocess.run(command, cwd=settings.BASE_DIR, env=environment(root), check=True)
    return root


@contextmanager
def served(folder: Path, static_root: Path) -> Iterator[str]:
    """The address of the site on the table at hand; its certificate is one that nobody trusts."""
    certificate = folder / "localhost.pem"
    certificate.write_text(make_certificate(["localhost"]))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        *(sys.executable, "-m", "gunicorn", "socialsite.wsgi", "--worker-class", "gthread"),
        *("--threads", "8", "--bind", f"127.0.0.1:{port}", "--log-level", "error"),
        *("--certfile", str(certificate), "--keyfile", str(certificate)),
    ]
    given = environment(static_root)
    with subprocess.Popen(command, cwd=settings.BASE_DIR, env=given) as server:
        try:
            wait_for(port, server)
            yield f"https://localhost:{port}"
        finally:
            server.terminate()


def environment(static_root: Path) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("AWS_")} | {
        "DJANGO_SETTINGS_MODULE": "socialsite.settings",
        "DEBUG": "0",
        "ALLOWED_HOSTS": "localhost",
        "DYNAMODB_ENDPOINT": str(settings.DYNAMODB_ENDPOINT),
        "DYNAMODB_TABLE": table_name(),
        "STATIC_ROOT": str(static_root),
    }


def wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("gunicorn did not start")

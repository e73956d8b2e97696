"""How gunicorn serves the site: `gunicorn --config deploy/gunicorn.conf.py socialsite.wsgi`.

GUNICORN_BIND and HEALTH_BIND say where (127.0.0.1:8000 and 127.0.0.1:8001), WEB_CONCURRENCY how many workers: one for
each core. Each has four threads; more make waiting longer, not pages faster.

HEALTH_BIND answers /healthz from the master, which never waits behind pages: 200 while the loop of any worker turns.
"""

import os
import shutil
import signal
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from gunicorn.glogging import Logger

from socialsite.engine.exec_with_owner import end_with_parent

bind = os.environ.get("GUNICORN_BIND", "127.0.0.1:8000")
worker_class = "gthread"
workers = int(os.environ.get("WEB_CONCURRENCY") or os.cpu_count() or 2)
threads = 4
backlog = 256
keepalive = 75  # longer than nginx keeps an idle connection, so that none is closed under a request
timeout = 30
graceful_timeout = 20
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - its beats need no disk
control_socket_disable = True
preload_app = False  # a connection to the table does not outlive a fork


class Log(Logger):
    """gunicorn's own log, which names what is wrong with a request and nothing that a stranger sent: a line that is
    malformed can hold a secret or name someone, as those that are not can (socialsite/observing/logs.py)."""

    def warning(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        error = sys.exception()
        if error and str(msg).startswith("Invalid request"):
            msg = f"{str(msg).partition(': ')[0]}: {type(error).__name__}"
        super().warning(msg, *args, **kwargs)

    def exception(self, msg: Any, *args: Any, **kwargs: Any) -> None:
        if str(msg).startswith("Error handling request %s"):
            msg, args = "Error handling a request", ()
        super().exception(msg, *args, **kwargs)


logger_class = Log

SILENT_AFTER = 30  # seconds

# The workers' counts for /metrics: each answer has the sums of all, and of whoever else counts in a folder that is
# given.
own_counts = ""
if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
    own_counts = tempfile.mkdtemp(prefix="socialsite-metrics-")
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = own_counts


def on_starting(server: Any) -> None:
    """Opens the port for health in the master. It survives a reload of the workers (SIGHUP)."""

    class Health(BaseHTTPRequestHandler):
        timeout = 2  # for whoever asks slowly

        def do_GET(self) -> None:
            is_well = any(beat_of(worker) < SILENT_AFTER for worker in [*server.WORKERS.values()])
            text = b"ok" if is_well else b"no worker turns\n"
            self.send_response(200 if is_well else 503)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(text)

        do_HEAD = do_GET  # noqa: N815 - its name is the standard library's

        def log_message(self, *_: Any) -> None:
            """Says nothing: it is asked every few seconds."""

    given = os.environ.get("HEALTH_BIND", "127.0.0.1:8001")
    host, _, port = given.rpartition(":")
    try:
        server.health = ThreadingHTTPServer((host, int(port)), Health)
    except (OSError, OverflowError, ValueError) as error:
        sys.exit(
            f"HEALTH_BIND is {given}, where gunicorn cannot listen ({error}). Stop the program that does, or set "
            "HEALTH_BIND to another address, such as 127.0.0.1:8011."
        )
    Thread(target=server.health.serve_forever, name="health", daemon=True).start()


def beat_of(worker: Any) -> float:
    """Returns how many seconds ago a worker's loop last turned."""
    try:
        return time.monotonic() - float(worker.tmp.last_update())
    except (OSError, ValueError):  # it ended meanwhile
        return float("inf")


def post_fork(server: Any, worker: Any) -> None:
    """Closes the worker's copy of that port: it is the master's. A worker ends with the master at once, as it would
    hold the site's own port while it waits for slow requests."""
    server.health.socket.close()
    if not end_with_parent(server.pid, signal.SIGKILL):
        sys.exit("gunicorn's master has ended.")


def on_exit(server: Any) -> None:
    """Removes the counts: a new start begins at 0."""
    if own_counts:
        shutil.rmtree(own_counts, ignore_errors=True)

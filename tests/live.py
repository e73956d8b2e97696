"""`manage.py run_live` on a test's table, and browsers of sorts that listen to it over real sockets."""

import http.client
import queue
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client

from operations.serving.live import relayed
from operations.serving.nginx import free_addresses
from socialsite.news import socket_path
from socialsite.table.connection import table_name
from tests.faults.processes import Child, environment_of, wait_until

START_SECONDS = 60
SOON = 10.0  # seconds, on a busy machine; the site means a fraction of one


class LiveProcess:
    """The process, which can be killed and started again at the same address."""

    def __init__(self, folder: Path, endpoint: str, **environment: str) -> None:
        self.bind = free_addresses(1)[0]
        self.has_socket = (
            "LIVE_ADDRESS" not in environment
        )  # else it takes datagrams at that address
        own = environment_of(endpoint, table_name(), Path(settings.DATA_DIR))
        own |= {"SECRET_KEY": settings.SECRET_KEY, "LIVE_BIND": self.bind, **environment}
        self.child = Child(["manage.py", "run_live"], own, folder / "live.log")
        try:
            self.wait()
        except AssertionError:
            self.kill()
            raise

    def wait(self) -> None:
        wait_until(self.is_there, seconds=START_SECONDS)

    def is_there(self) -> bool:
        with suppress(OSError):
            is_heard = not self.has_socket or Path(socket_path()).exists()
            return is_heard and self.ask("/healthz").status == 200
        return False

    def kill(self) -> None:
        self.child.kill()

    def start(self) -> None:
        self.child.start()
        self.wait()

    def ask(self, path: str, *, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self.bind, timeout=SOON)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=named)
        return connection.getresponse()

    def raw(self) -> socket.socket:
        host, _, port = self.bind.rpartition(":")
        return socket.create_connection((host, int(port)), timeout=SOON)


def cookie_of(browser: Client) -> str:
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={browser.cookies[name].value}"


class Listener:
    """A page that listens: the words that it heard, and whether its stream has ended."""

    def __init__(self, live: LiveProcess, browser: Client, query: str = "ago=1") -> None:
        self.heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.has_ended = False
        self.response = live.ask(f"/live?{query}", Cookie=cookie_of(browser))
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def status(self) -> int:
        return self.response.status

    def next(self) -> str:
        """Returns the next word, empty once nothing has come for long."""
        with suppress(queue.Empty):
            return self.heard.get(timeout=SOON)
        return ""

    def hears(self, word: str) -> bool:
        """Whether this word comes soon, among others."""
        until = time.monotonic() + SOON
        while time.monotonic() < until:
            if self.next() == word:
                return True
        return False

    def is_quiet(self, *, seconds: float = 1.5) -> bool:
        with suppress(queue.Empty):
            self.heard.get(timeout=seconds)
            return False
        return True

    def ends(self) -> bool:
        with suppress(AssertionError):
            wait_until(lambda: self.has_ended, seconds=SOON)
        return self.has_ended

    def _read(self) -> None:
        with suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            for line in self.response:
                if line.startswith(b"data: "):
                    self.heard.put(line[6:].decode().strip())
        self.has_ended = True


@contextmanager
def served_by(live: LiveProcess) -> Iterator[None]:
    """Lets this process's own server pass `/live` on, as `runserver` does."""
    before: Callable[..., object] = WSGIHandler.__call__

    def call(self: WSGIHandler, environ: dict[str, object], start: Callable[..., object]) -> object:
        return relayed(lambda *args: before(self, *args), live.bind)(environ, start)  # type: ignore[arg-type, return-value]

    WSGIHandler.__call__ = call  # type: ignore[method-assign]
    try:
        yield
    finally:
        WSGIHandler.__call__ = before  # type: ignore[method-assign]

"""What tests of the whole site share: an engine that cannot be reached, limits out of the way."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.conf import settings

from accounts.profile import views as profile
from accounts.security import views as security
from accounts.sign_in import browsers
from accounts.sign_up import views as sign_up
from feed.composing import views as composing
from socialsite.table import Item, connection
from socialsite.table.transport import client
from socialsite.web.limits import Slowdown

NOBODY_LISTENS = "http://127.0.0.1:9"


@contextmanager
def table_at(endpoint: str) -> Iterator[None]:
    """Inside the block the table is looked for elsewhere. The connection of before waits, as a new one takes long."""
    before = settings.DYNAMODB_ENDPOINT, Item.Meta.host, Item._connection
    connected, own_way = connection._connected, client._standing
    settings.DYNAMODB_ENDPOINT = endpoint
    connection.disconnect()
    try:
        yield
    finally:
        with connection._lock:  # a thread that connects would hook the connection of before
            settings.DYNAMODB_ENDPOINT, Item.Meta.host, Item._connection = before
            connection._connected, client._standing = connected, own_way


@pytest.fixture
def engine_down(table: str) -> Iterator[None]:
    """The engine cannot be reached: nobody listens where it was."""
    with table_at(NOBODY_LISTENS):
        yield


class _Faulty(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps(
            {"__type": "com.amazonaws.dynamodb.v20120810#InternalServerError"}
        ).encode()
        self.send_response(500)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def engine_faulty(table: str) -> Iterator[None]:
    """The engine answers every request with a fault of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Faulty)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    with table_at(f"http://127.0.0.1:{server.server_port}"):
        yield
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is stopped for doing a lot, as a test of many inputs does."""
    for module, name in (
        (sign_up, "SIGN_UP_BY_ADDRESS"),
        (security, "RESETS_BY_ADDRESS"),
        (composing, "POSTS"),
        (profile, "UPLOADS"),
    ):
        monkeypatch.setattr(module, name, replace(getattr(module, name), hits=1_000_000))
    for name, slowdown in vars(browsers).copy().items():
        if isinstance(slowdown, Slowdown):
            monkeypatch.setattr(browsers, name, replace(slowdown, free=1_000_000))


@pytest.fixture
def served_static(settings: Any) -> None:
    """Static files come from where they are written, as no test collects them."""
    settings.WHITENOISE_USE_FINDERS = True
    settings.WHITENOISE_AUTOREFRESH = True

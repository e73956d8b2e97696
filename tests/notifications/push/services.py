"""A push service and browsers of this machine. The service keeps what it gets, and does what the path asks for: it
answers 429, hangs, leads elsewhere, sends 10 MB or is slow. A browser decrypts with `http_ece`, as a second opinion."""

import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings

from accounts.people.viewer import Viewer
from notifications.push.encryption import encoded, point_of
from notifications.push.sender import Pusher, may_send
from notifications.push.site_key import open_site_key
from notifications.push.writes import device_of, turn_on


@dataclass
class Got:
    path: str
    headers: dict[str, str]
    body: bytes


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "PushService"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            self.server.got.append(Got(self.path, dict(self.headers), body))
        how = self.path.split("/")[1]
        getattr(self, f"answer_{how}", self.answer_ok)()

    def answer(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def answer_ok(self) -> None:
        self.answer(201)

    def answer_busy(self) -> None:
        if self.server.is_busy:
            self.answer(429, Retry_After="120")
        else:
            self.answer(201)

    def answer_expired(self) -> None:
        self.answer(410)

    def answer_refused(self) -> None:
        self.answer(400)

    def answer_broken(self) -> None:
        self.answer(503)

    def answer_elsewhere(self) -> None:
        self.answer(307, Location=f"{self.server.origin}/inner/secret")

    def answer_big(self) -> None:
        self.send_response(201)
        self.send_header("Content-Length", str(10 * 1024 * 1024))
        self.end_headers()
        with suppress(OSError):
            for _ in range(160):
                self.wfile.write(b"x" * 65_536)
                self.server.sent += 65_536

    def answer_slow(self) -> None:
        with suppress(OSError):
            for byte in b"HTTP/1.1 201 Created\r\nX-Slow: " + b"x" * 100:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(0.2)

    def answer_hang(self) -> None:
        self.server.released.wait(20)
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        pass


class PushService(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.got: list[Got] = []
        self.lock = threading.Lock()
        self.released = threading.Event()
        self.is_busy = True
        self.sent = 0

    def handle_error(self, *_: Any) -> None:
        pass  # the other end hung up

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def paths(self) -> list[str]:
        return [one.path for one in self.got]


@contextmanager
def running_service() -> Iterator[PushService]:
    """A service of this machine, which the site takes for one of the known ones."""
    service = PushService()
    thread = threading.Thread(target=service.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    allowed = settings.PUSH_TEST_ORIGINS
    settings.PUSH_TEST_ORIGINS = [*allowed, service.origin]
    try:
        yield service
    finally:
        settings.PUSH_TEST_ORIGINS = allowed
        service.released.set()
        service.shutdown()
        service.server_close()


@dataclass
class Browser:
    """What a browser gives to a site, and reads of what comes."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    auth: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def p256dh(self) -> str:
        return encoded(point_of(self.key.public_key()))

    @property
    def device(self) -> str:
        return device_of(self.endpoint)

    def given(self) -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": self.p256dh, "auth": encoded(self.auth)}

    def read(self, body: bytes) -> dict[str, Any]:
        text = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        words: dict[str, Any] = json.loads(text)
        return words

    def turn_on(self, viewer: Viewer, *, language: str = "en") -> str:
        return turn_on(
            by=viewer,
            **self.given(),
            key_id=open_site_key().key_id,
            browser="Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0",
            language=language,
        )


def new_pusher() -> Pusher:
    pusher = Pusher(open_site_key())
    assert may_send(pusher.owner, pusher.key.public)
    return pusher

"""One request to a push service, and what its answer means.

Its word counts for no more than that: no redirect is followed, at most 4 KB are read, and two seconds are waited in
all, however slowly it speaks. Nothing of the environment names a proxy. Connections are kept for a minute.
"""

import re
import socket
import ssl
import time
from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from enum import StrEnum, auto
from functools import cache

from botocore.httpsession import get_cert_path

from notifications.push.services import Service
from socialsite.clock import utc_now

SECONDS = 2.0  # for connection, request and answer
MOST_READ = 4_096  # bytes
KEPT_SECONDS = 60.0
MOST_KEPT = 16  # connections to one service
SOONEST, LATEST = 30, 3_600  # seconds until the next try, whatever a service asks for

STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})")
HEADER = re.compile(rb"\r\n([a-z-]+)[ \t]*:[ \t]*([^\r\n]*)", re.IGNORECASE)
END = b"\r\n\r\n"
NO_SUCH_HOST = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


class Outcome(StrEnum):
    """`SENT`: it took the push. `GONE`: the subscription is no more. `LATER`: it may take it later, or said nothing.
    `REFUSED`: it takes no such push, and would take it no better later. `NOWHERE`: its host has no address."""

    SENT = auto()
    GONE = auto()
    LATER = auto()
    REFUSED = auto()
    NOWHERE = auto()


@dataclass(frozen=True, slots=True)
class Answer:
    """`after` is how many seconds later to try again, 0 if it did not say. `status` is 0 for no answer."""

    outcome: Outcome
    status: int = 0
    after: int = 0


NO_ANSWER = Answer(Outcome.LATER)
NO_ADDRESS = Answer(Outcome.NOWHERE)


@dataclass(slots=True)
class Connections:
    """The idle connections, by service. Safe to use from many threads."""

    idle: dict[tuple[str, int], deque[tuple[float, socket.socket]]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def post(self, service: Service, body: bytes, headers: dict[str, str]) -> Answer:
        """Asks once. A connection that was kept and has ended meanwhile is replaced."""
        deadline = time.monotonic() + SECONDS
        request = _request(service, body, headers)
        kept = self._kept(service)
        try:
            if kept is not None:
                with suppress(ConnectionError, ssl.SSLError):
                    return self._ask(service, kept, request, deadline)
            return self._ask(service, _connected(service, deadline), request, deadline)
        except socket.gaierror as error:
            return NO_ADDRESS if error.errno in NO_SUCH_HOST else NO_ANSWER
        except (OSError, ValueError):
            return NO_ANSWER

    def _ask(
        self, service: Service, connected: socket.socket, request: bytes, deadline: float
    ) -> Answer:
        try:
            connected.settimeout(_left(deadline))
            connected.sendall(request)
            head, rest = _read_head(connected, deadline)
            if self._is_whole(head, rest, connected, deadline):
                self._keep(service, connected)
                connected = None  # type: ignore[assignment]
            return _meaning(head)
        finally:
            if connected is not None:
                connected.close()

    def _is_whole(
        self, head: bytes, rest: bytes, connected: socket.socket, deadline: float
    ) -> bool:
        """Reads a short body of known length, so that the connection can be used again."""
        told = {name.lower(): value for name, value in HEADER.findall(head)}
        if b"close" in told.get(b"connection", b"").lower() or b"transfer-encoding" in told:
            return False
        length = told.get(b"content-length", b"")
        if not length.isdigit() or len(length) > 4 or len(head) + int(length) > MOST_READ:
            return False
        with suppress(OSError):
            while len(rest) < int(length):
                connected.settimeout(_left(deadline))
                more = connected.recv(MOST_READ)
                if not more:
                    return False
                rest += more
            return len(rest) == int(length)
        return False

    def _kept(self, service: Service) -> socket.socket | None:
        waiting = self.idle.get((service.host, service.port))  # no entry for made-up hosts
        while waiting:
            with suppress(IndexError):
                until, connected = waiting.pop()
                if until > time.monotonic():
                    return connected
                connected.close()
        return None

    def _keep(self, service: Service, connected: socket.socket) -> None:
        waiting = self.idle[service.host, service.port]
        if len(waiting) < MOST_KEPT:
            waiting.append((time.monotonic() + KEPT_SECONDS, connected))
        else:
            connected.close()


def _request(service: Service, body: bytes, headers: dict[str, str]) -> bytes:
    host = service.host if service.is_tls else f"{service.host}:{service.port}"
    lines = [f"POST {service.path} HTTP/1.1", f"Host: {host}", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


def _connected(service: Service, deadline: float) -> socket.socket:
    connected = _reached(service, deadline)
    try:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if service.is_tls:
            connected.settimeout(_left(deadline))
            connected = _tls().wrap_socket(connected, server_hostname=service.host)
    except BaseException:
        connected.close()
        raise
    return connected


def _reached(service: Service, deadline: float) -> socket.socket:
    """Returns a connection to the first address of the host that takes one. All of them share the time."""
    failed: OSError = ConnectionRefusedError("no address")
    addresses = socket.getaddrinfo(service.host, service.port, type=socket.SOCK_STREAM)
    for family, kind, protocol, _, address in addresses:
        connected = socket.socket(family, kind, protocol)
        try:
            connected.settimeout(_left(deadline))
            connected.connect(address)
        except OSError as error:
            connected.close()
            failed = error
        else:
            return connected
    raise failed


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=get_cert_path(True))


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _read_head(connected: socket.socket, deadline: float) -> tuple[bytes, bytes]:
    received = b""
    while (end := received.find(END)) < 0:
        if len(received) >= MOST_READ:
            raise ValueError("the head is too long")
        connected.settimeout(_left(deadline))
        more = connected.recv(MOST_READ - len(received))
        if not more:
            raise ConnectionResetError
        received += more
    return received[: end + 2], received[end + len(END) :]


def _meaning(head: bytes) -> Answer:
    found = STATUS.match(head)
    if found is None:
        raise ValueError("no answer of HTTP")
    status = int(found[1])
    if 200 <= status < 300:
        return Answer(Outcome.SENT, status)
    if status in (404, 410):
        return Answer(Outcome.GONE, status)
    if status == 429 or status >= 500:
        return Answer(Outcome.LATER, status, _retry_after(head))
    return Answer(Outcome.REFUSED, status)


def _retry_after(head: bytes) -> int:
    """Returns how many seconds it asks for, as a number or a date, within our own bounds."""
    told = {name.lower(): value.decode("latin-1") for name, value in HEADER.findall(head)}
    text = told.get(b"retry-after", "").strip()
    if not text:
        return 0
    if text.isdigit():
        seconds = int(text[:6])
    else:
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return 0
        seconds = int((moment.replace(tzinfo=moment.tzinfo or UTC) - utc_now()).total_seconds())
    return max(SOONEST, min(seconds, LATEST))

"""Asks one address as fast as a server answers, over a few kept-alive connections, from one process.

It does little more than move bytes, so that it takes next to nothing of the processors that it shares with the server.
"""

import selectors
import socket
import time
import zlib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

CONNECTIONS = 8
COLD = 5  # pages that may fail before it counts
REFUSED = 0.05  # at most: pages that take nearly a second make a server refuse some
END = b"\r\n\r\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """Pages a second, the milliseconds of each, and of each answer that said that the server is busy."""

    rate: float
    milliseconds: list[float]
    refused_after: list[float]
    seconds: float

    @property
    def refused(self) -> int:
        return len(self.refused_after)


@dataclass(slots=True)
class Line:
    """A connection, the answer that is arriving on it, and when it was asked for."""

    socket: socket.socket
    request: bytes
    asked: float = 0.0
    received: bytearray = field(default_factory=bytearray)
    was_refused: bool = False

    def ask(self) -> None:
        self.received.clear()
        self.asked = time.perf_counter()
        self.socket.sendall(self.request)

    def take(self) -> bytes | None:
        """Reads what is there and returns the body once it is complete."""
        part = self.socket.recv(262_144)
        if not part:
            raise RuntimeError("the server closed the connection")
        self.received += part
        head, found, body = bytes(self.received).partition(END)
        if not found:
            return None
        lines = head.lower().split(b"\r\n")
        self.was_refused = b" 503 " in lines[0]
        if b" 200 " not in lines[0] and not self.was_refused:
            raise RuntimeError(f"the server answered {lines[0].decode()}")
        lengths = [int(line[15:]) for line in lines if line.startswith(b"content-length:")]
        if len(lengths) != 1:
            raise RuntimeError("the answer does not say how long it is")
        return body if len(body) == lengths[0] else None


def request_for(address: str, cookie: str, *, encoding: str = "br, gzip") -> bytes:
    """Returns what a proxy that ends TLS passes on for a browser with this cookie."""
    lines = [
        f"GET {address} HTTP/1.1",
        "Host: localhost",
        "X-Forwarded-Proto: https",
        "X-Forwarded-For: 203.0.113.7",
        f"Accept-Encoding: {encoding}",
        "Accept-Language: en",
        f"Cookie: {cookie}",
    ]
    return "\r\n".join(lines).encode() + END


def fetch(port: int, request: bytes) -> str:
    """Returns one page."""
    with socket.create_connection(("127.0.0.1", port), 30) as opened:
        line = Line(opened, request)
        line.ask()
        while (body := line.take()) is None:
            pass
    if line.was_refused:
        raise RuntimeError("the server is busy")
    return (zlib.decompress(body, 31) if body[:2] == b"\x1f\x8b" else body).decode()


def first_page(port: int, request: bytes) -> str:
    """Returns a page of a server that has just begun. Its first ones load what it needs, and may take longer than it
    allows itself."""
    for _ in range(COLD):
        try:
            return fetch(port, request)
        except RuntimeError:
            time.sleep(1)
    return fetch(port, request)


def load(
    port: int,
    request: bytes,
    seconds: float,
    *,
    connections: int = CONNECTIONS,
    after_refusal: float = 0.0,
) -> Asked:
    """Asks on every connection, again as soon as it has its answer, or so many seconds after one that said busy."""
    selector = selectors.DefaultSelector()
    lines = [
        Line(socket.create_connection(("127.0.0.1", port), 30), request) for _ in range(connections)
    ]
    for line in lines:
        line.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        selector.register(line.socket, selectors.EVENT_READ, line)
    milliseconds: list[float] = []
    refused_after: list[float] = []
    resting: deque[tuple[float, Line]] = deque()  # until when; all rest equally long
    began = time.perf_counter()
    until = ended = began + seconds
    waiting = len(lines)
    for line in lines:
        line.ask()
    while waiting or resting:
        now = time.perf_counter()
        if now >= until:
            resting.clear()
        while resting and resting[0][0] <= now:
            resting.popleft()[1].ask()
            waiting += 1
        pause = max(0.0, resting[0][0] - now) if resting else None
        for key, _ in selector.select(pause) if waiting or resting else ():
            line = key.data
            if line.take() is None:
                continue
            ended = time.perf_counter()
            taken = refused_after if line.was_refused else milliseconds
            taken.append((ended - line.asked) * 1000)
            if ended < until and not (line.was_refused and after_refusal):
                line.ask()
                continue
            waiting -= 1
            if ended < until:
                resting.append((ended + after_refusal, line))
    for line in lines:
        line.socket.close()
    selector.close()
    spent = ended - began
    return Asked(len(milliseconds) / spent, milliseconds, refused_after, spent)


def check_refusals(name: str, turns: Iterable[Asked]) -> None:
    """Raises `RuntimeError` if a server refused so much in these turns that its pages a second say nothing."""
    asked = list(turns)
    pages = sum(len(one.milliseconds) for one in asked)
    refused = sum(one.refused for one in asked)
    if refused > REFUSED * pages:
        raise RuntimeError(f"{name}: {refused} answers said busy, beside {pages} pages")

"""A server that answers as it is told, byte by byte, whatever HTTP says about it."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

Reply = Callable[[socket.socket], bool]  # whether the connection stays


def sent(data: bytes, *, stays: bool = True) -> Reply:
    def reply(connected: socket.socket) -> bool:
        connected.sendall(data)
        return stays

    return reply


def in_pieces(data: bytes) -> Reply:
    def reply(connected: socket.socket) -> bool:
        for number in range(len(data)):
            connected.sendall(data[number : number + 1])
        return True

    return reply


def ok(body: bytes = b"{}", *more: bytes, stays: bool = True) -> Reply:
    """A good answer."""
    head = b"\r\n".join((b"HTTP/1.1 200 OK", b"content-length: %d" % len(body), *more))
    return sent(head + b"\r\n\r\n" + body, stays=stays)


def closed(_: socket.socket) -> bool:
    return False


class Server:
    """`replies` are taken one for each request, from whatever connection it comes; then good empty answers follow,
    or what was asked."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.echoes = False
        self.connections: list[socket.socket] = []
        self.requests: list[bytes] = []
        self.may_answer = threading.Event()
        self.may_answer.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]

    def serve(self) -> None:
        while True:
            try:
                connected, _ = self._listening.accept()
            except OSError:
                return
            self.connections.append(connected)
            threading.Thread(target=self._converse, args=(connected,), daemon=True).start()

    def end(self) -> None:
        self.may_answer.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self.hang_up()

    def hang_up(self) -> None:
        """Ends all connections, as a server does with those that are idle."""
        for connected in self.connections:
            with suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)

    def _good(self, request: bytes) -> Reply:
        return ok(request) if self.echoes else ok()

    def _converse(self, connected: socket.socket) -> None:
        with suppress(OSError), connected, connected.makefile("rb") as reading:
            while request := _request_from(reading):
                self.requests.append(request)
                reply = self.replies.pop(0) if self.replies else self._good(request)
                self.may_answer.wait(60)
                if not reply(connected):
                    return


def _request_from(reading: Any) -> bytes:
    length = 0
    while line := reading.readline().strip().lower():
        if line.startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    body: bytes = reading.read(length)
    return body


@contextmanager
def serving() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.end()
        thread.join(60)

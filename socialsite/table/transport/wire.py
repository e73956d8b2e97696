"""The connections to DynamoDB: kept open, used by one call at a time, with one `send` for a request.

It understands one answer alone: `HTTP/1.1 200` with one `Content-Length`, and all of it. For anything else it gives up
with a reason, and botocore asks again, with its retries and errors.
"""

import os
import re
import socket
import ssl
import time
from collections import deque
from weakref import WeakSet

from urllib3.util.wait import wait_for_read

LONGEST_LIFE = 60.0  # seconds, after which DNS is asked again
MOST_IDLE = 32  # as many as botocore keeps
CHUNK = 65_536
MOST_HEADERS = 65_536  # bytes
MOST_BODY = 64 * 1024 * 1024  # bytes; DynamoDB sends 16 MB at most

END_OF_HEADERS = b"\r\n\r\n"
GOOD = b"HTTP/1.1 200 "
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*(?=\r\n)", re.IGNORECASE)
COUNTED = re.compile(rb"\r\ncontent-length", re.IGNORECASE)
# What says that the body is not just so many bytes.
OTHERWISE = re.compile(rb"\r\n(?:transfer-encoding|content-encoding|trailer)\s*:", re.IGNORECASE)
CLOSES = re.compile(rb"\r\nconnection:[^\r]*close", re.IGNORECASE)


class GivenUp(Exception):
    """This call is botocore's. `status` is 0 if nothing was answered."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status

    @property
    def was_tried(self) -> bool:
        """Whether this counts as a try. Throttled calls are tried for as long as there is time."""
        return self.reason != "request" and (not self.status or self.status >= 500)


class Line:
    """One open connection, with the request that is on its way."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.ends = time.monotonic() + LONGEST_LIFE
        self.is_fresh = True
        self.message = b""

    def close(self) -> None:
        self.socket.close()


class Wire:
    """The connections of this process to one address. Safe to use from many threads."""

    def __init__(self, host: str, port: int, *, seconds: float, tls: ssl.SSLContext | None) -> None:
        self._address = (host, port)
        self._seconds = seconds
        self._tls = tls
        self._idle: deque[Line] = deque()  # newest last
        _wires.add(self)

    def send(self, message: bytes) -> Line:
        """Sends a request and returns the connection on which its answer will come. Raises `GivenUp`."""
        kept = self._kept()
        if kept is not None:
            try:
                return _put(kept, message)
            except _Ended:
                pass
        return self._send_anew(message)

    def receive(self, line: Line) -> bytes:
        """Returns the body of the answer. Raises `GivenUp`.

        A kept connection may have ended meanwhile. Then the request is sent once more, on a new one.
        """
        try:
            return self._body_from(line)
        except _Ended:
            if line.is_fresh:
                raise GivenUp("broken") from None
        try:
            return self._body_from(self._send_anew(line.message))
        except _Ended:
            raise GivenUp("broken") from None

    def forget(self) -> None:
        """Drops all idle connections."""
        while self._idle:
            self._idle.pop().close()

    def _kept(self) -> Line | None:
        now = time.monotonic()
        while True:
            try:
                line = self._idle.pop()
            except IndexError:
                return None
            # What is readable before it was asked anything was closed. `select` knows no descriptor above 1023.
            if now < line.ends and not wait_for_read(line.socket, 0):
                return line
            line.close()

    def _connected(self) -> Line:
        try:
            connected = socket.create_connection(self._address, self._seconds)
            try:
                connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if self._tls is not None:
                    connected = self._tls.wrap_socket(connected, server_hostname=self._address[0])
            except BaseException:
                connected.close()
                raise
        except TimeoutError as error:
            raise GivenUp("connect timeout") from error
        except OSError as error:
            raise GivenUp("tls" if isinstance(error, ssl.SSLError) else "connect") from error
        return Line(connected)

    def _send_anew(self, message: bytes) -> Line:
        try:
            return _put(self._connected(), message)
        except _Ended:
            raise GivenUp("broken") from None

    def _body_from(self, line: Line) -> bytes:
        try:
            head, body = _answer_on(line)
        except BaseException:
            line.close()
            raise
        if CLOSES.search(head):
            line.close()
        else:
            self._keep(line)
        return body

    def _keep(self, line: Line) -> None:
        line.is_fresh = False
        line.message = b""
        if len(self._idle) < MOST_IDLE:
            self._idle.append(line)
        else:
            line.close()


class _Ended(Exception):
    """The connection ended before a byte of the answer came."""


def _put(line: Line, message: bytes) -> Line:
    line.message = message
    try:
        line.socket.sendall(message)
    except OSError as error:
        line.close()
        if isinstance(error, TimeoutError):
            raise GivenUp("timeout") from error
        raise _Ended from error
    return line


def _answer_on(line: Line) -> tuple[bytes, bytes]:
    received = b""
    while (end := received.find(END_OF_HEADERS)) < 0:
        if len(received) > MOST_HEADERS:
            raise GivenUp("answer")
        try:
            more = line.socket.recv(CHUNK)
        except OSError as error:
            if isinstance(error, TimeoutError):
                raise GivenUp("timeout") from error
            more = b""
        if not more:
            raise GivenUp("broken") if received else _Ended
        received += more
    head, body = received[: end + 2], received[end + 4 :]
    length = _length_in(head)
    if len(body) > length:
        raise GivenUp("answer", 200)
    return head, body if len(body) == length else _rest_of(line, body, length)


def _rest_of(line: Line, begun: bytes, length: int) -> bytes:
    body = bytearray(length)
    there = len(begun)
    body[:there] = begun
    view = memoryview(body)
    while there < length:
        try:
            count = line.socket.recv_into(view[there:])
        except OSError as error:
            raise GivenUp("timeout" if isinstance(error, TimeoutError) else "broken") from error
        if not count:
            raise GivenUp("broken")
        there += count
    return bytes(body)


def _length_in(head: bytes) -> int:
    if not head.startswith(GOOD):
        status = STATUS.match(head)
        raise GivenUp("status", int(status[1])) if status else GivenUp("answer")
    lengths = LENGTH.findall(head)
    if len(lengths) != 1 or len(COUNTED.findall(head)) != 1 or OTHERWISE.search(head):
        raise GivenUp("answer", 200)
    length = int(lengths[0])
    if length > MOST_BODY:
        raise GivenUp("answer", 200)
    return length


_wires: WeakSet[Wire] = WeakSet()


def _forget_all() -> None:
    # A child would share its parent's connections, and read the parent's answers.
    for wire in _wires:
        wire.forget()


os.register_at_fork(after_in_child=_forget_all)

"""An HTTP/1.1 client for DynamoDB's one address: connections that are kept, and answers that are read within bounds."""

import os
import re
import socket
import ssl
import time
from collections import deque
from weakref import WeakSet

from urllib3.util.wait import wait_for_read

# Reads an answer from a connection, strictly: `HTTP/1.1 200` or 400, with one `Content-Length` or in plain chunks.
#
# Amazon and the embedded engine tell the length. DynamoDB Local sends what is longer than 8 KB in chunks.
# Anything else is given up, also what other readers of HTTP would forgive, and so is an answer with more bytes
# than it should have.

AT_ONCE = 65_536  # bytes
MOST_HEADERS = 65_536  # bytes
MOST_BODY = 64 * 1024 * 1024  # bytes; DynamoDB sends 16 MB at most

END_OF_LINE, END_OF_HEADERS = b"\r\n", b"\r\n\r\n"
READ = {b"HTTP/1.1 200 ": 200, b"HTTP/1.1 400 ": 400}
STATUS = re.compile(rb"HTTP/1\.[01] (\d{3})")
# What says where the body ends, or that it is not the answer itself.
FRAMING = re.compile(
    rb"\r\n(content-length|transfer-encoding|content-encoding|trailer)[ \t]*:[ \t]*([^\r\n]*?)[ \t]*(?=\r\n)",
    re.IGNORECASE,
)
LENGTH = re.compile(rb"[0-9]{1,9}")
CHUNK_LENGTH = re.compile(rb"[0-9A-Fa-f]{1,8}")
CLOSES = re.compile(rb"\r\nconnection:[^\r]*close", re.IGNORECASE)


class GivenUp(Exception):
    """This call is botocore's. `status` is 0 if nothing was answered. `body` is that of a refusal."""

    def __init__(self, reason: str, status: int = 0, body: bytes = b"") -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
        self.body = body

    @property
    def was_tried(self) -> bool:
        """Whether this counts as a try. Throttled calls are tried for as long as there is time."""
        return self.reason != "request" and (not self.status or self.status >= 500)


class Ended(Exception):
    """The connection ended before a byte of the answer came."""


def read_answer(connected: socket.socket) -> tuple[int, bytes, bool]:
    """Returns status and body of an answer, and whether the connection closes after it. Raises `GivenUp`, `Ended`."""
    received = b""
    while (end := received.find(END_OF_HEADERS)) < 0:
        if len(received) > MOST_HEADERS:
            raise GivenUp("answer")
        received += _more_from(connected, has_begun=bool(received))
    head, rest = received[: end + 2], received[end + 4 :]
    status = _status_in(head)
    length = _length_in(head)
    if length is None:
        body = _read_chunks(connected, rest)
    elif len(rest) > length:
        raise GivenUp("answer", 200)
    else:
        body = rest if len(rest) == length else _rest_of(connected, rest, length)
    return status, body, CLOSES.search(head) is not None


def _status_in(head: bytes) -> int:
    if status := READ.get(head[:13]):
        return status
    other = STATUS.match(head)
    raise GivenUp("status", int(other[1])) if other else GivenUp("answer")


def _length_in(head: bytes) -> int | None:
    """Returns the length of the body, or None if it comes in chunks."""
    framing = FRAMING.findall(head)
    if len(framing) != 1:
        raise GivenUp("answer", 200)
    name, value = framing[0][0].lower(), framing[0][1]
    if name == b"transfer-encoding" and value.lower() == b"chunked":
        return None
    if name != b"content-length" or not LENGTH.fullmatch(value) or int(value) > MOST_BODY:
        raise GivenUp("answer", 200)
    return int(value)


def _rest_of(connected: socket.socket, begun: bytes, length: int) -> bytes:
    body = bytearray(length)
    there = len(begun)
    body[:there] = begun
    view = memoryview(body)
    while there < length:
        try:
            count = connected.recv_into(view[there:])
        except OSError as error:
            raise GivenUp("timeout" if isinstance(error, TimeoutError) else "broken") from error
        if not count:
            raise GivenUp("broken")
        there += count
    return bytes(body)


def _read_chunks(connected: socket.socket, received: bytes) -> bytes:
    waiting, body = bytearray(received), bytearray()
    while True:
        while (end := waiting.find(END_OF_LINE)) < 0:
            if len(waiting) > MOST_HEADERS:
                raise GivenUp("answer", 200)
            waiting += _more_from(connected)
        if not CHUNK_LENGTH.fullmatch(waiting, 0, end):
            raise GivenUp("answer", 200)
        length = int(waiting[:end], 16)
        if len(body) + length > MOST_BODY:
            raise GivenUp("answer", 200)
        start, stop = end + 2, end + 2 + length
        while len(waiting) < stop + 2:
            waiting += _more_from(connected)
        if waiting[stop : stop + 2] != END_OF_LINE:
            raise GivenUp("answer", 200)
        body += waiting[start:stop]
        del waiting[: stop + 2]
        if not length:
            break
    if waiting:
        raise GivenUp("answer", 200)
    return bytes(body)


def _more_from(connected: socket.socket, *, has_begun: bool = True) -> bytes:
    try:
        more = connected.recv(AT_ONCE)
    except OSError as error:
        if isinstance(error, TimeoutError):
            raise GivenUp("timeout") from error
        more = b""
    if not more:
        raise GivenUp("broken") if has_begun else Ended
    return more


# The connections to DynamoDB: kept open, used by one call at a time, with one `send` for a request.
#
# What goes wrong with them is given up with a reason, and botocore asks again, with its retries and errors. A
# kept connection that ended is replaced first.

LONGEST_LIFE = 60.0  # seconds, after which DNS is asked again
SENT_AT_ONCE = 0.2  # seconds: so soon a connection says that it had been closed
MOST_IDLE = 32  # as many as botocore keeps


class Line:
    """One open connection, with the request that is on its way."""

    def __init__(self, connected: socket.socket) -> None:
        self.socket = connected
        self.ends = time.monotonic() + LONGEST_LIFE
        self.is_fresh = True
        self.message = b""
        self.sent = 0.0

    def has_more(self) -> bool:
        """Whether something came before it was asked anything: its end, or more than the last answer had."""
        is_read_ahead = isinstance(self.socket, ssl.SSLSocket) and self.socket.pending() > 0
        # `select` knows no descriptor above 1023.
        return is_read_ahead or wait_for_read(self.socket, 0)

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
            except Ended:
                pass
        return self._send_anew(message)

    def receive(self, line: Line) -> bytes:
        """Returns the body of a good answer. Raises `GivenUp`.

        A kept connection may have ended meanwhile. Then the request is sent once more, on a new one.
        """
        try:
            return self._body_from(line)
        except Ended:
            if line.is_fresh or time.monotonic() - line.sent > SENT_AT_ONCE:
                raise GivenUp("broken") from None
        try:
            return self._body_from(self._send_anew(line.message))
        except Ended:
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
            if now < line.ends and not line.has_more():
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
        except Ended:
            raise GivenUp("broken") from None

    def _body_from(self, line: Line) -> bytes:
        try:
            status, body, closes = read_answer(line.socket)
        except BaseException:
            line.close()
            raise
        if closes:
            line.close()
        else:
            self._keep(line)
        if status != 200:
            raise GivenUp("status", status, body)
        return body

    def _keep(self, line: Line) -> None:
        line.is_fresh = False
        line.message = b""
        if len(self._idle) < MOST_IDLE:
            self._idle.append(line)
        else:
            line.close()


def _put(line: Line, message: bytes) -> Line:
    line.message, line.sent = message, time.monotonic()
    try:
        line.socket.sendall(message)
    except OSError as error:
        line.close()
        if isinstance(error, TimeoutError):
            raise GivenUp("timeout") from error
        raise Ended from error
    return line


_wires: WeakSet[Wire] = WeakSet()


def _forget_all() -> None:
    # A child would share its parent's connections, and read the parent's answers.
    for wire in _wires:
        wire.forget()


os.register_at_fork(after_in_child=_forget_all)

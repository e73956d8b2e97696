"""Reads an answer from a connection, strictly: `HTTP/1.1 200`, with one `Content-Length` or in plain chunks.

Amazon and the embedded engine tell the length. DynamoDB Local sends what is longer than 8 KB in chunks. Anything else
is given up, also what other readers of HTTP would forgive, and so is an answer with more bytes than it should have.
"""

import re
import socket

AT_ONCE = 65_536  # bytes
MOST_HEADERS = 65_536  # bytes
MOST_BODY = 64 * 1024 * 1024  # bytes; DynamoDB sends 16 MB at most

END_OF_LINE, END_OF_HEADERS = b"\r\n", b"\r\n\r\n"
GOOD = b"HTTP/1.1 200 "
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
    """This call is botocore's. `status` is 0 if nothing was answered."""

    def __init__(self, reason: str, status: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status

    @property
    def was_tried(self) -> bool:
        """Whether this counts as a try. Throttled calls are tried for as long as there is time."""
        return self.reason != "request" and (not self.status or self.status >= 500)


class Ended(Exception):
    """The connection ended before a byte of the answer came."""


def read_answer(connected: socket.socket) -> tuple[bytes, bool]:
    """Returns the body of an answer, and whether the connection closes after it. Raises `GivenUp` and `Ended`."""
    received = b""
    while (end := received.find(END_OF_HEADERS)) < 0:
        if len(received) > MOST_HEADERS:
            raise GivenUp("answer")
        received += _more_from(connected, has_begun=bool(received))
    head, rest = received[: end + 2], received[end + 4 :]
    length = _length_in(head)
    if length is None:
        body = _read_chunks(connected, rest)
    elif len(rest) > length:
        raise GivenUp("answer", 200)
    else:
        body = rest if len(rest) == length else _rest_of(connected, rest, length)
    return body, CLOSES.search(head) is not None


def _length_in(head: bytes) -> int | None:
    """Returns the length of the body, or None if it comes in chunks."""
    if not head.startswith(GOOD):
        status = STATUS.match(head)
        raise GivenUp("status", int(status[1])) if status else GivenUp("answer")
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

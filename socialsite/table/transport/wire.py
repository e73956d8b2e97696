"""The connections to DynamoDB: kept open, used by one call at a time, with one `send` for a request.

What goes wrong with them is given up with a reason, and botocore asks again, with its retries and errors. A kept
connection that ended is replaced first.
"""

import os
import socket
import ssl
import time
from collections import deque
from weakref import WeakSet

from urllib3.util.wait import wait_for_read

from socialsite.table.transport.reader import Ended, GivenUp, read_answer

LONGEST_LIFE = 60.0  # seconds, after which DNS is asked again
AT_ONCE = 0.2  # seconds: so soon a connection says that it had been closed
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
        """Returns the body of the answer. Raises `GivenUp`.

        A kept connection may have ended meanwhile. Then the request is sent once more, on a new one.
        """
        try:
            return self._body_from(line)
        except Ended:
            if line.is_fresh or time.monotonic() - line.sent > AT_ONCE:
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
            body, closes = read_answer(line.socket)
        except BaseException:
            line.close()
            raise
        if closes:
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

"""Refuses requests that waited too long before anything looked at them.

A request that comes while all of gunicorn's threads are busy has to wait. After `LONGEST` seconds its sender may be
gone, and answering it only makes the next ones wait as long. So it gets a 503 with Retry-After, before any middleware,
template or call to the table. The log has a line for it, as for any other request.
"""

import socket
import struct
import sys
import time
from collections.abc import Iterable
from typing import Any

from django.conf import settings

from socialsite.web.observing.observation import note_refusal
from socialsite.web.observing.request_ids import HEADER, begin_request

LONGEST = 0.8  # seconds; with the time of the answer itself, a refusal stays under 1 s
RETRY_AFTER = 2
TEXT = b"The site is busy. Please try again in a moment.\n"
STILL_ANSWERED = (
    "/healthz"  # a load balancer that asks here must not think that the process is dead
)

TCP_INFO_BYTES = 104
LAST_DATA_RECEIVED = 52  # the offset of tcpi_last_data_recv, in milliseconds
FIRST_OF_MILLISECONDS = 1e11  # in seconds, this is the year 5138


class RefuseLate:
    """A WSGI application that wraps the site's own."""

    def __init__(self, application: Any) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        age = age_of(environ)
        if age > LONGEST and environ.get("PATH_INFO") != STILL_ANSWERED:
            request_id = begin_request(environ.get("HTTP_X_REQUEST_ID", ""))
            note_refusal(environ.get("REQUEST_METHOD", ""), age)
            return _refuse(start_response, request_id)
        answer: Iterable[bytes] = self.application(environ, start_response)
        return answer


def age_of(environ: dict[str, Any]) -> float:
    """Returns how many seconds ago the request came, 0 if that is unknown."""
    return max(_age_by_kernel(environ), _age_by_proxy(environ))


def _age_by_kernel(environ: dict[str, Any]) -> float:
    """Returns the seconds since the connection's last bytes came, accepted or not. For Linux with gunicorn."""
    connection = environ.get("gunicorn.socket")
    if connection is None or sys.platform != "linux":
        return 0.0
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, TCP_INFO_BYTES)
        milliseconds: int = struct.unpack_from("I", info, LAST_DATA_RECEIVED)[0]
    except (OSError, struct.error):  # not TCP, or closed meanwhile
        return 0.0
    return milliseconds / 1000


def _age_by_proxy(environ: dict[str, Any]) -> float:
    """Returns the age by `X-Request-Start`, which a trusted proxy overwrites: `t=` and seconds (nginx) or milliseconds
    (HAProxy)."""
    if not settings.TRUSTED_PROXY_HOPS:
        return 0.0
    try:
        start = float(environ.get("HTTP_X_REQUEST_START", "").removeprefix("t="))
    except ValueError:
        return 0.0
    if start > FIRST_OF_MILLISECONDS:
        start /= 1000
    age = time.time() - start
    return age if 0 < age < 3600 else 0.0  # another clock, or nonsense


def _refuse(start_response: Any, request_id: str) -> Iterable[bytes]:
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(TEXT))),
        ("Retry-After", str(RETRY_AFTER)),
        ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
        (HEADER, request_id),
    ]
    start_response("503 Service Unavailable", headers)
    return [TEXT]

"""`manage.py run_live` beside `runserver`, or gunicorn alone: the process, started anew whenever it ends, and a relay
that serves `/live` and the streams of apps at the site's own address, as there is no nginx. While it is away,
Django answers that nobody tells, and pages go on asking.
"""

import http.client
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote

from operations.serving.children import SHORT_LIFE, Child
from operations.serving.nginx import ROOT

LIVE = "The process that tells open pages"
COMMAND = [sys.executable, "manage.py", "run_live"]
# Longer than the pause between two lines of a stream (`notifications/live/server.py`).
SILENT_SECONDS = 40
STREAMS = "/api/v1/streaming"
PASSED_ON = (
    "Accept-Language", "Access-Control-Request-Method", "Authorization", "Cookie", "Host", "Last-Event-ID", "Origin",
    "Sec-Fetch-Site", "X-Forwarded-For",
)  # fmt: skip
PASSED_BACK = (
    "Access-Control-Allow-Headers", "Access-Control-Allow-Methods", "Access-Control-Allow-Origin", "Cache-Control",
    "Content-Type", "Cross-Origin-Resource-Policy", "Retry-After", "X-Content-Type-Options",
)  # fmt: skip

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def keep_running(bind: str, site: str) -> Callable[[], None]:
    """Runs the process at this address until the function that this returns is called; it asks the site at the other.
    A thread of its own starts it, as the process ends with that."""
    environment = {name: value for name, value in os.environ.items() if name != "RUN_MAIN"}
    child = Child(LIVE, COMMAND, environment | {"LIVE_BIND": bind, "LIVE_SITE": site}, ROOT)
    stop = threading.Event()

    def run() -> None:
        child.start()
        while not stop.wait(SHORT_LIFE if child.has_ended else 0.5):
            if child.has_ended:
                child.end(0)
                child.start()
        child.ask_to_end()
        child.end()

    thread = threading.Thread(target=run, name="live", daemon=True)
    thread.start()

    def end() -> None:
        stop.set()
        thread.join(SHORT_LIFE)

    return end


def relayed(application: Wsgi, bind: str, *, at_most: int | None = None) -> Wsgi:
    """Returns the application with `/live` of that process in it, and the streams of apps, for so many at once that
    each takes a thread, or for all. Further ones hear from the application that nobody tells."""
    places = threading.Semaphore(at_most) if at_most else None

    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path, method = environ.get("PATH_INFO", ""), environ.get("REQUEST_METHOD", "")
        if not _leads_there(path, method):
            return application(environ, start_response)
        away = application if path == "/live" else _no_streams
        if places and not places.acquire(blocking=False):
            return away(environ, start_response)
        leave = places.release if places else _nothing
        connection = http.client.HTTPConnection(bind, timeout=SILENT_SECONDS)
        headers = {
            name: str(value)
            for name in PASSED_ON
            if (value := environ.get(f"HTTP_{name.upper().replace('-', '_')}"))
        }
        try:
            connection.request(
                method, f"{quote(path)}?{environ.get('QUERY_STRING', '')}", headers=headers
            )
            response = connection.getresponse()
        except (OSError, http.client.HTTPException):
            connection.close()
            leave()
            return away(environ, start_response)
        back = [(name, value) for name in PASSED_BACK if (value := response.getheader(name))]
        start_response(f"{response.status} {response.reason or 'Answer'}", back)
        return Lines(connection, response, leave)

    return answer


def _leads_there(path: str, method: str) -> bool:
    """Whether that process answers. What it asks the site itself, before a stream, the site answers."""
    if path.startswith(f"{STREAMS}/watching"):
        return False
    is_stream = path == STREAMS or path.startswith(f"{STREAMS}/")
    return (path == "/live" and method == "GET") or (is_stream and method in ("GET", "OPTIONS"))


def _no_streams(_: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """As nginx says it."""
    headers = [("Content-Type", "application/json"), ("Access-Control-Allow-Origin", "*")]
    start_response("503 Service Unavailable", [*headers, ("Retry-After", "10")])
    return [b'{"error": "Nothing is streamed now."}']


def _nothing() -> None:
    """Does nothing: no place was taken."""


class Lines:
    """What the process tells one page, as it comes. The server closes it when either side has ended."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        response: http.client.HTTPResponse,
        leave: Callable[[], None],
    ) -> None:
        self.connection, self.response, self.leave = connection, response, leave
        self.is_open = True

    def __iter__(self) -> Iterator[bytes]:
        with suppress(OSError, http.client.HTTPException):  # in the middle; the page comes again
            while lines := self.response.read1(4096):
                yield lines

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self.connection.close()
            self.leave()

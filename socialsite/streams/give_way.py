"""Jobs give way to people.

An engine on this machine does one call after another, so a page waits for the call that a fan-out has just sent. While
pages are asked for, jobs send small calls and rest before each. The processes that serve pages tell the worker's by
the time of a file in the data folder. On Amazon's DynamoDB, which serves all calls at once, nobody writes that file.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]

SERVED_WITHIN = 0.1  # seconds; most pages take less
SMALL = 8  # items in a call beside readers
REST = 0.005  # seconds before each of them
SHORTER = 4  # beside readers a step of a job handles a quarter


def note_request(get_response: GetResponse) -> GetResponse:
    """Middleware that notes when someone asks for a page. Takes 1 µs, and never fails a request."""
    file = _last_request()

    def middleware(request: HttpRequest) -> HttpResponse:
        with suppress(OSError):
            file.touch()
        return get_response(request)

    return middleware


def give_way(most: int) -> int:
    """The pace of jobs: returns `most` items for the next call, or few after a rest if someone has just asked for a
    page."""
    if not _is_someone_served():
        return most
    time.sleep(REST)
    return min(most, SMALL)


def size_of_step(most: int) -> int:
    """Returns how many items the next step of a job handles: fewer beside readers, because a step holds up the stream
    for as long as it takes."""
    return max(1, most // SHORTER) if _is_someone_served() else most


def _is_someone_served() -> bool:
    try:
        asked = _last_request().stat().st_mtime
    except OSError:  # no page was ever asked for
        return False
    return abs(time.time() - asked) < SERVED_WITHIN  # a clock may have been set back


def _last_request() -> Path:
    return Path(settings.DATA_DIR) / "last-request"

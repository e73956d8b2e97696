"""How the mail server is, as this process knows it: whether it is left alone for a while, and since when no letter has
gone out, which the others learn from the table.

A mail server that hangs takes ten seconds a letter, and the clock has other work. So after one that it did not answer
for, all others wait a minute.
"""

import logging
import time
from contextlib import suppress
from datetime import datetime, timedelta
from smtplib import SMTPDataError, SMTPNotSupportedError, SMTPSenderRefused

from socialsite.clock import utc_now
from socialsite.due.models import StreamHost
from socialsite.process_state import kept_by_process
from socialsite.table import NotFound, TableError, access_pattern, change, keys

AWAY = 60.0  # seconds
# What a mail server that is there says of one letter, or what cannot be said to it at all.
OF_ONE_LETTER = (SMTPDataError, SMTPNotSupportedError, SMTPSenderRefused, UnicodeError)

log = logging.getLogger(__name__)

_away_until = float("-inf")
_fails = False


@kept_by_process
def forget_away() -> None:
    """Lets the next letter ask the mail server."""
    global _away_until, _fails
    _away_until, _fails = float("-inf"), False


def is_left_alone() -> bool:
    return time.monotonic() < _away_until


def left_alone_until() -> datetime | None:
    """Returns until when letters wait unasked, None if they need not."""
    left = _away_until - time.monotonic()
    return utc_now() + timedelta(seconds=left) if left > 0 else None


def note_failure(error: Exception) -> None:
    """Leaves the mail server alone for a minute, unless it refused this one letter, and notes that letters fail."""
    global _away_until, _fails
    if isinstance(error, OF_ONE_LETTER):
        return
    _away_until = time.monotonic() + AWAY
    if not _fails:
        _fails = True
        with suppress(TableError):  # it only tells others
            note_letters_fail()


def note_success(*, was_tried: bool) -> None:
    """Notes that letters go out again, if they did not. `was_tried`: this one failed before, of which the process that
    knew may be gone."""
    global _fails
    if _fails or was_tried:
        _fails = False
        with suppress(TableError):
            note_letters_go_out()


@access_pattern
def note_letters_fail() -> None:
    """Notes since when no letter has gone out, unless that is known. One UpdateItem, 1 write unit, for the first letter
    of a process that fails."""
    since = StreamHost.letters_fail_since.set(utc_now().isoformat(timespec="seconds"))
    is_new = StreamHost.letters_fail_since.does_not_exist()
    with suppress(NotFound):  # it is known, or nobody has begun to read the stream
        change(StreamHost, keys.stream_host(), [since], condition=is_new)


@access_pattern
def note_letters_go_out() -> None:
    """Notes that letters go out again. One UpdateItem, 1 write unit, for the first letter after one that failed."""
    with suppress(NotFound):
        change(StreamHost, keys.stream_host(), [StreamHost.letters_fail_since.remove()])

"""Whether the engine takes writes at all. Each process that serves pages notices by itself when it does not: the disk
is full, the database file may only be read, a right is missing. Then no write is asked any more, pages go on being
read, and every few seconds one harmless write is tried: the first that succeeds ends it.

One refused write proves little, as a right may be missing for one kind of item alone, so the harmless write decides. A
call that was not answered is the breaker's (`resilience.py`), and a throttled one is tried again.
"""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum

from botocore.exceptions import ClientError
from django.conf import settings

from socialsite.clock import utc_now_iso
from socialsite.engine.running import is_full
from socialsite.keys.machinery import write_probe
from socialsite.process_state import kept_by_process
from socialsite.table.actions import serves_people
from socialsite.table.connection import asks_for_a_person, table_name
from socialsite.table.errors import ReadOnly, Unavailable, error_code
from socialsite.table.transport.requests import ask, wire

LOOK_EVERY = 5.0  # seconds
# What the engine answers when it cannot write, and Amazon's when it has a fault of its own.
FAULTS = {"InternalServerError", "InternalServerErrorException", "InternalFailure"}

log = logging.getLogger(__name__)


class Cause(StrEnum):
    """Why the engine takes no writes."""

    FULL = "full"  # the disk
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Since when the engine takes no writes, as this process noticed."""

    cause: Cause
    since: str


_noticed: Refusal | None = None
_look_at = 0.0  # on the monotonic clock
_looking = threading.Lock()


def refusal_now() -> Refusal | None:
    """Returns what this process noticed, None while writes are taken. Tries a write if it is time, at most once in 5
    seconds, 1 write unit; costs nothing while writes are taken."""
    if _noticed and time.monotonic() >= _look_at:
        _look()
    return _noticed


def must_be_taken() -> None:
    """Raises `ReadOnly` on a page while the engine takes no writes. Worker, clock and commands ask: they wait and try
    again in their own ways."""
    if serves_people() and (refusal := refusal_now()):
        raise ReadOnly(f"the engine takes no writes ({refusal.cause})")


@contextmanager
def noticing_refusals() -> Iterator[None]:
    """Looks whether the engine takes writes at all if it refuses the write of a page inside the block, which raises
    what it raised before."""
    try:
        yield
    except Unavailable as error:
        if serves_people() and _is_refusal(error) and not asks_for_a_person():
            _look()
        raise


def _is_refusal(error: Unavailable) -> bool:
    cause = error.__cause__
    cause = getattr(cause, "cause", None) or cause  # PynamoDB wraps it
    if not isinstance(cause, ClientError):
        return False
    code = error_code(cause)
    return "AccessDenied" in code or code in FAULTS


def _look() -> None:
    """Tries the harmless write, in one thread at a time: the deletion of an item that nobody ever writes."""
    global _noticed, _look_at
    if not _looking.acquire(blocking=False):
        return
    try:
        cause, before = _why_not(), _noticed
        _look_at = time.monotonic() + LOOK_EVERY
        if cause is None:
            _noticed = None
        elif before is None or before.cause != cause:
            _noticed = Refusal(cause, utc_now_iso())
        if bool(before) != bool(_noticed):
            said = "takes no writes: pages are only read." if _noticed else "takes writes again."
            log.warning("The engine %s", said)
    finally:
        _looking.release()


def _why_not() -> Cause | None:
    if settings.DYNAMODB_ENGINE == "embedded" and is_full(settings.DATA_DIR):
        return Cause.FULL  # a deletion needs no room, and may still succeed
    nothing = {"DeleteRequest": {"Key": wire(write_probe())}}
    try:
        ask("BatchWriteItem", {"RequestItems": {table_name(): [nothing]}})
    except Unavailable as error:
        if _is_refusal(error):
            return Cause.REFUSED
        return _noticed.cause if _noticed else None  # no answer tells nothing new
    return None


@kept_by_process
def _forget() -> None:
    global _noticed, _look_at
    _noticed, _look_at = None, 0.0

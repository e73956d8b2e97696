"""How long a call may take, how many items it carries, when it is tried again, and when the engine is asked no more,
so that nobody waits for a call that will fail.

The breaker of a web process opens after 3 failed calls in a row (a timeout, no connection, a fault inside DynamoDB), or
when a call has run for half a second and none was answered since it began, so that nobody has to wait for the first
timeout. Open, it refuses calls at once; `errors.translated` makes that `Unavailable`, a 503 with Retry-After. After a
second, and once a second from then on, one call is let through: the first answer closes it.
"""

import logging
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from time import monotonic
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ConnectTimeoutError, ReadTimeoutError
from botocore.retries.quota import RetryQuota
from botocore.retries.standard import (
    RetryContext,
    RetryEventAdapter,
    RetryHandler,
    RetryPolicy,
    RetryQuotaChecker,
    StandardRetryConditions,
    ThrottlingErrorDetector,
)
from django.conf import settings


@dataclass(frozen=True, slots=True)
class Patience:
    """The time limits of one process. `seconds` bounds the connecting and the answer of one try.

    A web process does not repeat a call after a timeout, because a page has no time for a second wait. It has a
    breaker.
    """

    seconds: float
    repeats_timeouts: bool
    has_breaker: bool


def ordinary_patience() -> Patience:
    """Returns the time limits of workers, commands and `runserver`."""
    return Patience(settings.DYNAMODB_SECONDS, repeats_timeouts=True, has_breaker=False)


def web_patience() -> Patience:
    return Patience(settings.DYNAMODB_WEB_SECONDS, repeats_timeouts=False, has_breaker=True)


T = TypeVar("T")

# Takes the most items that a call can have, and returns how many the next one has. It may wait first.
Pace = Callable[[int], int]


def _full(most: int) -> int:
    return most


_pace: ContextVar[Pace] = ContextVar("pace", default=_full)


@contextmanager
def paced(pace: Pace) -> Iterator[None]:
    """Makes the lists that are written or fetched inside the block go at this pace."""
    token = _pace.set(pace)
    try:
        yield
    finally:
        _pace.reset(token)


def pieces(items: Iterable[T], most: int) -> Iterator[list[T]]:
    """Yields the items in order, in a piece for each call. The pace is asked after the first item of each."""
    left = iter(items)
    for first in left:
        yield [first, *islice(left, _pace.get()(most) - 1)]


# Decides when a call is tried again, and how soon.
#
# botocore pauses up to a second before its first retry of a throttled call, which is longer than a page has,
# and then gives up. Here a throttled call is tried again after short, growing pauses until the page's time is
# up (`within`), or outside pages for `LONGEST` seconds. Any other fault gets one more try. botocore's quota of
# retries for each process stays: if most calls fail, none is repeated.

LONGEST = 8.0  # seconds for retries of a throttled call outside a page
TRIES = 2  # tries after another fault
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 0.4
UNBOUNDED = 1_000_000  # tries; time limits those of a throttled call

_until: ContextVar[float | None] = ContextVar("until", default=None)
_tries_before: ContextVar[int] = ContextVar("tries_before", default=0)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Lets throttled calls inside the block, in this thread, be tried again for this many seconds from now."""
    token = _until.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _until.reset(token)


@contextmanager
def tried_before(tries: int) -> Iterator[None]:
    """Counts these tries of the site's own transport for the call of botocore inside the block, in this thread."""
    token = _tries_before.set(tries)
    try:
        yield
    finally:
        _tries_before.reset(token)


def seconds_left(seconds: float) -> float:
    """Returns this many seconds, or the rest of the page's time if that is less."""
    until = _until.get()
    return seconds if until is None else min(seconds, until - time.monotonic())


def register(events: Any, patience: Patience) -> None:
    """Replaces botocore's own rules in a client's events."""
    adapter = RetryEventAdapter()
    throttling = ThrottlingErrorDetector(adapter)
    quota = RetryQuotaChecker(RetryQuota(), throttling)
    policy = RetryPolicy(_Conditions(throttling, patience), _Pauses())
    handler = RetryHandler(policy, adapter, quota)
    events.unregister("needs-retry.dynamodb", unique_id="retry-config-dynamodb")
    events.register("needs-retry.dynamodb", handler.needs_retry)
    events.register("after-call.dynamodb", quota.release_retry_quota)


class _Conditions:
    def __init__(self, throttling: ThrottlingErrorDetector, patience: Patience) -> None:
        self._throttling = throttling
        self._patience = patience
        self._passing = StandardRetryConditions(max_attempts=UNBOUNDED)

    def is_retryable(self, context: RetryContext) -> bool:
        if self._throttling.is_throttling_error_from_context(context):
            return time.monotonic() + _longest_pause(context) < _deadline(context)
        timed_out = isinstance(context.caught_exception, ReadTimeoutError | ConnectTimeoutError)
        if timed_out and not self._patience.repeats_timeouts:
            return False
        tries = context.attempt_number + _tries_before.get()
        return tries < TRIES and bool(self._passing.is_retryable(context))


class _Pauses:
    def delay_amount(self, context: RetryContext) -> float:
        longest = _longest_pause(context)
        return random.uniform(longest / 2, longest)


def _longest_pause(context: RetryContext) -> float:
    return float(min(FIRST_PAUSE * 2 ** min(context.attempt_number - 1, 10), LONGEST_PAUSE))


def _deadline(context: RetryContext) -> float:
    until = _until.get()
    if until is None:
        until = context.request_context.setdefault("tried_until", time.monotonic() + LONGEST)
    return float(until)


FAILURES = 3
HANGING = 0.5  # seconds
PROBE_EVERY = 1.0  # seconds

log = logging.getLogger(__name__)


class TableIsAway(BotoCoreError):
    """The breaker is open."""

    fmt = "the table does not answer; calls are refused until it does"


class Breaker:
    """The breaker of one client. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[int, float] = {}  # when each call began
        self._answered_at = 0.0
        self._failures = 0
        self._probe_at: float | None = None  # None: closed

    def register(self, events: Any) -> None:
        """Hooks the breaker into a botocore client's events."""
        events.register("before-call.dynamodb", self._before_call)
        events.register("response-received.dynamodb", self._response_received)
        events.register("after-call.dynamodb", self._after_call)
        events.register("after-call-error.dynamodb", self._after_call_error)
        events.register("given-up.dynamodb", self._given_up)

    @property
    def is_open(self) -> bool:
        return self._probe_at is not None

    def _before_call(self, context: dict[str, Any], **_: Any) -> None:
        now = monotonic()
        with self._lock:
            if self._probe_at is None and self._hangs(now):
                self._open(now, "a call hangs")
            if self._probe_at is not None:
                if now < self._probe_at:
                    raise TableIsAway
                self._probe_at = now + PROBE_EVERY
            self._running[id(context)] = now

    def _hangs(self, now: float) -> bool:
        # Compares with the call's start: one call may be slow or lost while others are answered.
        return any(
            began < now - HANGING and self._answered_at < began for began in self._running.values()
        )

    def _response_received(self, response_dict: dict[str, Any] | None, **_: Any) -> None:
        """Notes the answer of any try, also of a throttled one, after which botocore may pause."""
        if response_dict is not None and response_dict["status_code"] < 500:
            with self._lock:
                self._answered_at = monotonic()
                self._failures = 0
                if self._probe_at is not None:
                    self._probe_at = None
                    log.warning("The table answers again.")

    def _after_call(self, http_response: Any, context: dict[str, Any], **_: Any) -> None:
        self._end(context, failed=http_response.status_code >= 500)

    def _after_call_error(self, exception: Exception, context: dict[str, Any], **_: Any) -> None:
        self._end(context, failed=True)

    def _given_up(self, context: dict[str, Any], **_: Any) -> None:
        """Forgets a call of the site's own transport that botocore asks again: its outcome counts, once."""
        with self._lock:
            self._running.pop(id(context), None)
            if self._probe_at is not None:
                self._probe_at = monotonic()  # botocore's try of this call is the probe

    def _end(self, context: dict[str, Any], *, failed: bool) -> None:
        now = monotonic()
        with self._lock:
            self._running.pop(id(context), None)
            if not failed:
                return
            self._failures += 1
            if self._probe_at is not None:
                self._probe_at = now + PROBE_EVERY
            elif self._failures >= FAILURES:
                self._open(now, f"{FAILURES} calls failed in a row")

    def _open(self, now: float, reason: str) -> None:
        self._probe_at = now + PROBE_EVERY
        log.warning("The table does not answer: %s. Pages are refused until it does.", reason)

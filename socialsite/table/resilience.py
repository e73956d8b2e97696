"""How long a call may take, how many items it carries, and when it is tried again."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError
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


def pieces(items: Sequence[T], most: int) -> Iterator[Sequence[T]]:
    """Yields the items in order, in a piece for each call. The pace is asked before each of them."""
    start = 0
    while start < len(items):
        end = start + _pace.get()(most)
        yield items[start:end]
        start = end


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

"""Decides when a call is tried again, and how soon.

botocore pauses up to a second before its first retry of a throttled call, which is longer than a page has, and then
gives up. Here a throttled call is tried again after short, growing pauses until the page's time is up (`within`), or
outside pages for `LONGEST` seconds. Any other fault gets one more try. botocore's quota of retries for each process
stays: if most calls fail, none is repeated.
"""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

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

from socialsite.table.resilience.patience import Patience

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

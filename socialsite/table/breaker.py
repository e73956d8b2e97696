"""Answers for the table while it does not answer itself, so that nobody waits for a call that will fail.

The breaker of a web process opens after 3 failed calls in a row (a timeout, no connection, a fault inside DynamoDB), or
when a call has run for half a second and none was answered since it began, so that nobody has to wait for the first
timeout. Open, it refuses calls at once; `errors.translated` makes that `Unavailable`, a 503 with Retry-After. After a
second, and once a second from then on, one call is let through: the first answer closes it.
"""

import logging
import threading
import time
from typing import Any

from botocore.exceptions import BotoCoreError

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
        now = time.monotonic()
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
                self._answered_at = time.monotonic()
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
                self._probe_at = time.monotonic()  # botocore's try of this call is the probe

    def _end(self, context: dict[str, Any], *, failed: bool) -> None:
        now = time.monotonic()
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

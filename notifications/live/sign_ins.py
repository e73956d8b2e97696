"""Does the sign-in of a connection hold? Asked once for each, and again after five minutes, or when one was ended; and
the bells of those who look, where no worker can tell (Lambda)."""

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import parse_cookie

from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.people.viewer import Waiting
from accounts.sessions import hash_secret, read_signed_in
from socialsite.keys import bell, sign_ins
from socialsite.news import News, topic_of
from socialsite.table import TableError, access_pattern, fetch

HOLDS_FOR = 300.0  # seconds
MOST_KEPT = 20_000
THREADS, MOST_ASKED = 4, 400  # at once

T = TypeVar("T")


class Busy(Exception):
    """Too many ask at once, or the table does not answer."""


def session_of(cookies: str) -> tuple[str, str]:
    """Returns the id and the hashed secret that a cookie claims, both empty without one that the site has signed."""
    value = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "")
    kept = SessionStore(value).load() if value else {}
    user_id, secret = str(kept.get(SESSION_USER, "")), str(kept.get(SESSION_SECRET, ""))
    return (user_id, hash_secret(secret)) if user_id and secret else ("", "")


class SignIns:
    """Which sign-ins held a moment ago. A page that opens after another one asks nothing."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], float] = {}
        self._of_person: dict[bytes, set[tuple[str, str]]] = {}
        self._doubted_at: dict[bytes, float] = {}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="sign-ins")
        self._asked = 0

    async def holds(self, user_id: str, secret_hash: str) -> bool:
        """Whether pages would take it for that of someone who is not locked out. 1.5 read units, none if it held in the
        last five minutes. Raises `Busy`."""
        one = user_id, secret_hash
        if self.seconds_left(*one) > 0:
            return True
        asked_at = time.monotonic()
        topic = topic_of(News.SIGN_IN, sign_ins(user_id))
        found = await self._ask(read_signed_in, user_id, secret_hash)
        if found is None:
            self._held.pop(one, None)
            return False
        if len(self._held) >= MOST_KEPT:
            self._held.clear()
            self._of_person.clear()
        if (
            self._doubted_at.get(topic, 0) < asked_at
        ):  # otherwise it may have ended while it was read
            self._held[one] = asked_at
            self._of_person.setdefault(topic, set()).add(one)
        return True

    def seconds_left(self, user_id: str, secret_hash: str) -> float:
        """Returns for how long it need not be asked again."""
        return self._held.get((user_id, secret_hash), float("-inf")) + HOLDS_FOR - time.monotonic()

    def doubt(self, topic: bytes) -> None:
        """Forgets what held of a person of whom a sign-in has ended."""
        if len(self._doubted_at) >= MOST_KEPT:
            self._doubted_at.clear()
        self._doubted_at[topic] = time.monotonic()
        for one in self._of_person.pop(topic, ()):
            self._held.pop(one, None)

    async def bells(self, user_ids: Iterable[str]) -> dict[str, str]:
        return await self._ask(read_bells, list(user_ids))

    async def _ask(self, function: Callable[..., T], *args: Any) -> T:
        if self._asked >= MOST_ASKED:
            raise Busy
        self._asked += 1
        try:
            call = partial(copy_context().run, function, *args)
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except TableError as error:
            raise Busy from error
        finally:
            self._asked -= 1


@access_pattern
def read_bells(user_ids: list[str]) -> dict[str, str]:
    """Returns the state of what waits for each of these people. BatchGetItem of their bells, 100 a call, 0.5 read units
    each."""
    found = fetch([bell(one) for one in user_ids])
    return {one: Waiting.from_raw(found.get(bell(one), {})).state for one in user_ids}

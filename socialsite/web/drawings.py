"""HTML that a process draws once and keeps: of what is the same for everyone who reads it.

What is kept is drawn from its key alone, so it can neither be stale nor hold anything of a person that is not in the
key. What changes from reader to reader or from minute to minute is a `Mark` in it, in whose place each page puts what
holds at that moment.
"""

import secrets
import sys
import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.utils.safestring import SafeString

from socialsite.process_state import kept_by_process

K = TypeVar("K", bound=Hashable)

SECONDS = 15 * 60  # for which half of the drawings is in use before it is the older one


def new_mark() -> SafeString:
    """Returns a text that nobody else can write, as nobody can guess it. It never leaves the process."""
    return SafeString(f"mark{secrets.token_hex(12)}")


class Drawings(Generic[K]):
    """Keeps what `draw` made of its keys, in at most so many bytes.

    There are two halves. What was asked for since the newer one began is in it, and when that is full or has had its
    time, the older half is dropped: nothing is written down for a drawing that is found, so that threads need not wait
    for each other. What nobody asks for any more, as of someone who was erased, is gone after that time twice.
    """

    def __init__(self, draw: Callable[[K], SafeString], *, most_bytes: int) -> None:
        self.draw, self.most_bytes = draw, most_bytes
        self._newer: dict[K, SafeString] = {}
        self._older: dict[K, SafeString] = {}
        self._bytes, self._began = 0, time.monotonic()
        self._changing = threading.Lock()
        kept_by_process(self.forget)

    def of(self, key: K) -> SafeString:
        """Returns the drawing of a key. In debug mode it is drawn anew, as templates change."""
        drawn = self._newer.get(key)
        if drawn is None:
            drawn = self._older.get(key)
            if drawn is None:
                drawn = self.draw(key)
            if not settings.DEBUG:
                self._keep(key, drawn)
        return drawn

    def forget(self) -> None:
        """Drops everything."""
        with self._changing:
            self._newer, self._older, self._bytes = {}, {}, 0

    def __contains__(self, key: K) -> bool:
        return key in self._newer or key in self._older

    def __len__(self) -> int:
        return len(self._newer.keys() | self._older.keys())

    def _keep(self, key: K, drawn: SafeString) -> None:
        size = sys.getsizeof(drawn) + _size_of(key)
        if size > self.most_bytes // 2:
            return
        with self._changing:
            now = time.monotonic()
            if self._bytes + size > self.most_bytes // 2 or now > self._began + SECONDS:
                self._newer, self._older, self._bytes, self._began = {}, self._newer, 0, now
            self._bytes += size
            self._newer[key] = drawn


def _size_of(key: Any) -> int:
    parts = map(_size_of, key) if isinstance(key, tuple) else ()
    return sys.getsizeof(key) + sum(parts)

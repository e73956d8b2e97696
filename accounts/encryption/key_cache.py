"""People's unwrapped keys, for a minute, in the memory of this process.

So a page of sealed values does not ask for the key each time. After a key is erased, other processes can read with it
for up to a minute, but none can seal: each write checks that the key is there.
"""

import threading
import time
from collections import OrderedDict
from typing import Generic, TypeVar

MOST_KEYS = 1_000
SECONDS = 60.0

T = TypeVar("T")


class KeyCache(Generic[T]):
    """The keys that were used last, each until it is a minute old. Threads may share it."""

    def __init__(self, *, most: int = MOST_KEYS, seconds: float = SECONDS) -> None:
        self._most, self._seconds = most, seconds
        self._kept: OrderedDict[str, tuple[float, T]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, user_id: str) -> T | None:
        with self._lock:
            until, value = self._kept.get(user_id, (0.0, None))
            if value is None or until <= time.monotonic():
                self._kept.pop(user_id, None)
                return None
            self._kept.move_to_end(user_id)
            return value

    def keep(self, user_id: str, value: T) -> None:
        with self._lock:
            self._kept[user_id] = time.monotonic() + self._seconds, value
            self._kept.move_to_end(user_id)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def forget(self, user_id: str) -> None:
        with self._lock:
            self._kept.pop(user_id, None)

    def forget_all(self) -> None:
        """For tests, which have several sites in one process."""
        with self._lock:
            self._kept.clear()

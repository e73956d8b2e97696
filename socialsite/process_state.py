"""What a process keeps of the table in its memory, for a time: copies of settings, of counts, of opened keys.

Whoever keeps something registers here how it is dropped, so that a process can become as new, as in tests, which have
many tables in one process. What is the same for everyone and may be some seconds old is a `KeptCopy`.
"""

import threading
import time
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

_drops: list[Callable[[], None]] = []


def kept_by_process(drop: Callable[[], None]) -> Callable[[], None]:
    """Registers the function that drops what a module keeps. It costs nothing, and may run at any time."""
    _drops.append(drop)
    return drop


def reset_process_state() -> None:
    """Drops everything that this process keeps of the table, so that the next use reads it anew."""
    for drop in _drops:
        drop()


class _Copy(NamedTuple, Generic[T]):
    value: T
    until: float  # on the monotonic clock


class KeptCopy(Generic[T]):
    """What `read` returned last, read anew once it is older than `seconds` says. One thread does that, while the others
    go on with the old copy, or wait if there is none. A read that fails leaves the old copy in use if its error is one
    of `despite`, and otherwise raises it."""

    def __init__(
        self,
        read: Callable[[], T],
        *,
        seconds: Callable[[], float],
        despite: tuple[type[Exception], ...] = (),
    ) -> None:
        self._read, self._seconds, self._despite = read, seconds, despite
        self.copy: _Copy[T] | None = None
        self._drops = 0
        self.reading = threading.Lock()
        kept_by_process(self.forget)

    def get(self) -> T:
        copy = self.copy
        if copy is not None and time.monotonic() < copy.until:
            return copy.value
        return self._renew(copy)

    def keep(self, value: T) -> None:
        self.copy = _Copy(value, time.monotonic() + self._seconds())

    def forget(self) -> None:
        """Drops the copy, so that the next use in this process reads anew."""
        self._drops += 1
        self.copy = None

    def _renew(self, old: _Copy[T] | None) -> T:
        if not self.reading.acquire(blocking=old is None):
            assert old is not None
            return old.value
        try:
            if self.copy is not None and self.copy is not old:  # read while this thread waited
                return self.copy.value
            return self._read_anew(old)
        finally:
            self.reading.release()

    def _read_anew(self, old: _Copy[T] | None) -> T:
        drops = self._drops
        try:
            value = self._read()
        except self._despite:
            if old is None:
                raise
            value = old.value
        if drops == self._drops:  # a change during the read may be missing in it
            self.keep(value)
        return value

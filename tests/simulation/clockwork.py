"""Time, chance and locks of a simulation, put in the place of Python's before the site is imported.

The site reads `time`, `secrets`, `random`, `uuid` and `os.urandom` as always, and gets what the seed gives. Nothing of
the product knows of it. This file imports nothing of the site, so that it can come first.
"""

import concurrent.futures
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, tzinfo
from types import SimpleNamespace
from typing import Any

real_monotonic = time.monotonic
_real_lock = threading.Lock
_gmtime, _localtime = time.gmtime, time.localtime

ROOMS = (
    "accounts",
    "api",
    "chats",
    "costs",
    "feed",
    "finding",
    "lens",
    "moderation",
    "notifications",
)
ROOMS += (
    "operations",
    "photos",
    "privacy",
    "relations",
    "site_votes",
    "socialsite",
    "tags",
    "ulid",
)
BEGIN = datetime(2028, 2, 27, 21, 0, tzinfo=UTC).timestamp()  # two days before a leap day


class Clock:
    """The time of the world, and how far the clock of the process that runs now is off."""

    def __init__(self) -> None:
        self.now = BEGIN
        self.skew = 0.0
        self.slept = 0.0

    def time(self) -> float:
        return self.now + self.skew

    def monotonic(self) -> float:
        return self.now - BEGIN + 1000.0

    def pass_by(self, seconds: float) -> None:
        """Lets time pass where no process waits for it, as for those who look at the world from outside."""
        self.now += max(0.0, seconds)


clock = Clock()
chance = random.Random(0)  # what the site draws
# Says how a process waits: the scheduler's, once there is one.
wait: Callable[[float], None] = clock.pass_by
# Says which process runs now: each has locks of its own.
running: Callable[[], str] = str


class Lock:
    """A lock whose waiting lets others go on. Processes hold it apart, as each has its memory to itself."""

    def __init__(self, is_reentrant: bool = False) -> None:
        self._held: dict[str, list[object]] = {}
        self._is_reentrant = is_reentrant

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        process, me = running(), who()
        holders = self._held.setdefault(process, [])
        until = clock.now + timeout
        while holders and not (self._is_reentrant and holders[-1] is me):
            if not blocking or (timeout >= 0 and clock.now >= until):
                return False
            wait(0.002)
        holders.append(me)
        return True

    def release(self) -> None:
        if holders := self._held.get(running()):
            holders.pop()

    def locked(self) -> bool:
        return bool(self._held.get(running()))

    def forget(self, process: str) -> None:
        self._held.pop(process, None)

    __enter__ = acquire

    def __exit__(self, *_: object) -> None:
        self.release()

    def __deepcopy__(self, _memo: object) -> "Lock":
        return self


class Slots(Lock):
    """A semaphore that is never full: nobody waits for a processor here."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        return True

    def release(self) -> None:
        pass


class Event:
    """An event whose waiting lets others go on."""

    def __init__(self) -> None:
        self._is_set = False

    def is_set(self) -> bool:
        return self._is_set

    def set(self) -> None:
        self._is_set = True

    def clear(self) -> None:
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        wait(timeout or 0.0)
        return self._is_set


class Pool:
    """A pool of threads that does one thing after another."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def map(self, function: Callable[..., Any], *iterables: Iterable[Any]) -> Iterator[Any]:
        return iter([function(*one) for one in zip(*iterables, strict=False)])

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        pass


class FromClock(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return datetime.fromtimestamp(clock.time(), tz)


def who() -> object:
    """The thread of the simulated world that runs now; the scheduler knows better."""
    return None


def _of_the_site() -> bool:
    return sys._getframe(2).f_globals.get("__name__", "").partition(".")[0] in ROOMS


def _lock() -> Any:
    return Lock() if _of_the_site() else _real_lock()


def _for_the_site(made: Callable[[], Any], real: Callable[..., Any]) -> Callable[..., Any]:
    def make(*args: Any) -> Any:
        return made() if _of_the_site() else real(*args)

    return make


class _ForTheSite(type):
    """`threading.Event` is a type that others name in annotations and ask with `isinstance`."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return Event() if _of_the_site() else super().__call__(*args, **kwargs)


def begin(seed: str) -> None:
    """From now on all that is drawn comes from this seed."""
    clock.now, clock.skew = BEGIN, 0.0
    chance.seed(f"{seed} of the site")
    random.seed(f"{seed} of random")


def install() -> None:
    """Puts the simulated world in the place of the real one. Before the site is imported, once in a process."""
    time.time = clock.time
    time.time_ns = lambda: int(clock.time() * 1e9)
    time.monotonic = time.perf_counter = clock.monotonic
    time.monotonic_ns = time.perf_counter_ns = lambda: int(clock.monotonic() * 1e9)
    time.clock_gettime = lambda _: clock.monotonic()  # type: ignore[assignment]
    time.sleep = lambda seconds: wait(seconds)
    time.gmtime = lambda seconds=None: _gmtime(clock.time() if seconds is None else seconds)
    time.localtime = lambda seconds=None: _localtime(clock.time() if seconds is None else seconds)
    os.urandom = random._urandom = chance.randbytes  # type: ignore[attr-defined]
    threading.Lock = _lock  # type: ignore[assignment]
    threading.RLock = _for_the_site(lambda: Lock(is_reentrant=True), threading.RLock)  # type: ignore[assignment,misc]
    threading.BoundedSemaphore = _for_the_site(Slots, threading.BoundedSemaphore)  # type: ignore[assignment,misc]
    event = _ForTheSite("Event", (threading.Event,), {})
    threading.Event = event  # type: ignore[misc]
    concurrent.futures.ThreadPoolExecutor = Pool  # type: ignore[misc,assignment]


def install_in_modules() -> None:
    """What imported names keep of the real clock. After the site was imported."""
    for name in ("socialsite.clock", "django.utils.timezone"):
        sys.modules[name].datetime = FromClock  # type: ignore[attr-defined]
    # Counts in parts go by the thread: by the process here.
    ledger = sys.modules["socialsite.streams.ledger"]
    ledger.threading = SimpleNamespace(get_ident=lambda: running())  # type: ignore[attr-defined]

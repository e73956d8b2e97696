"""What this process spends at the table, summed in memory by what spent it: a kind of page, a stream handler, a job.

Pages are sampled (`COST_SAMPLE`), and the worker and its clock are measured whole. Nothing here calls the table: the
room `costs` is told when the first sum arises, and takes the sums later.
"""

import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from socialsite.clock import utc_now
from socialsite.table.meter import Meter, measure

PAGE_KINDS = {"GET": "GET", "HEAD": "GET", "POST": "POST"}
OTHER_KIND = "other"
WORKER, JOB, CLOCK = "worker", "job", "clock"
# What the worker spends at rest, and on these very sums, is not worth a write: it waits for the next one.
UNAWAITED = ("socialsite:", "costs:")
NO_PAGE = "site:none"  # answered before any view, or an address that does not exist


@dataclass(frozen=True, slots=True)
class Spender:
    """What spent units on a day (UTC). `name` begins with its room: `feed:home`."""

    day: str
    kind: str
    name: str


@dataclass(slots=True)
class Sum:
    """How often it was measured, and the estimate for all of it: how often it ran, and its units."""

    samples: int = 0
    times: float = 0.0
    reads: float = 0.0
    writes: float = 0.0


Sums = dict[Spender, Sum]

_lock = threading.Lock()
_sums: Sums = {}
_is_told = False
_when_first: list[Callable[[], None]] = []  # called with the first sum after they were taken
_inside: ContextVar[list[Meter] | None] = ContextVar("inside", default=None)


def tell_of_first(function: Callable[[], None]) -> None:
    """Has a function called with the first sum that is worth a write, after the others were taken. It must be quick."""
    _when_first[:] = [function]


def take() -> Sums:
    """Returns what was summed, and begins anew."""
    global _sums, _is_told
    with _lock:
        taken, _sums, _is_told = _sums, {}, False
    return taken


def note_request(request: HttpRequest, measured: Meter) -> None:
    """Adds a request to the sums, if it is in the sample."""
    share = settings.COST_SAMPLE
    if random.random() >= share:
        return
    name = _page_of(request)
    if name != NO_PAGE or measured.calls:
        kind = PAGE_KINDS.get(request.method or "", OTHER_KIND)
        _add(kind, name, 1 / share, measured.read_units, measured.write_units)


@contextmanager
def spent_by(kind: str, name: str) -> Iterator[None]:
    """Adds what the calls inside the block cost to the sums. What an inner block adds is its own alone."""
    with spent_among(kind, {name: 1}):
        yield


@contextmanager
def spent_among(kind: str, parts: Mapping[str, int]) -> Iterator[None]:
    """As `spent_by`, for what several spent together: each by its part."""
    if not settings.COST_SAMPLE:
        yield
        return
    inner: list[Meter] = []
    outer = _inside.get()
    token = _inside.set(inner)
    try:
        with measure() as measured:
            yield
    finally:
        _inside.reset(token)
        if outer is not None:
            outer.append(measured)
        if len(measured.calls) > sum(len(one.calls) for one in inner):
            reads = measured.read_units - sum(one.read_units for one in inner)
            writes = measured.write_units - sum(one.write_units for one in inner)
            for name, part in parts.items():
                share = part / sum(parts.values())
                is_awaited = not name.startswith(UNAWAITED)
                _add(kind, name, 1, reads * share, writes * share, is_awaited=is_awaited)


def name_of(function: Callable[..., Any], name: str = "") -> str:
    """Returns a name that begins with the room of a function: its own, or another one."""
    module = function.__module__ or "socialsite"  # a built-in function has none
    return f"{module.partition('.')[0]}:{name or function.__name__}"


def _page_of(request: HttpRequest) -> str:
    match = request.resolver_match
    if match is None or not match.url_name:
        return NO_PAGE
    return f"{match.app_name or 'site'}:{match.url_name}"


def _add(
    kind: str, name: str, times: float, reads: float, writes: float, *, is_awaited: bool = True
) -> None:
    """`reads` and `writes` are of one of the `times`."""
    global _is_told
    spender = Spender(utc_now().date().isoformat(), kind, name)
    with _lock:
        is_first = is_awaited and not _is_told
        _is_told = _is_told or is_awaited
        found = _sums.setdefault(spender, Sum())
        found.samples += 1
        found.times += times
        found.reads += reads * times
        found.writes += writes * times
    if is_first:
        for tell in _when_first:
            tell()

"""What each call to the table cost, by access pattern, and what a page or a handler spent altogether."""

import functools
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.http import HttpRequest

from socialsite.clock import utc_now
from socialsite.observing import metrics

P = ParamSpec("P")
R = TypeVar("R")

# Measures each call to DynamoDB: operation, access pattern, capacity units and time.
#
# DynamoDB answers every call with the capacity it consumed. PynamoDB asks for it and then drops it. A botocore
# hook keeps it here, in the `Meter` of the current request. The `Server-Timing` header shows it, and tests use
# it to hold pages to their budgets.

READS = {"GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"}


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `units` are read units for reads and write units for writes. If the meter keeps them, `asked` is the
    request as JSON, `answer` what came back, and `began` a moment of `time.perf_counter`."""

    operation: str
    access_pattern: str
    units: float
    milliseconds: float
    asked: bytes = b""
    answer: Mapping[str, Any] | None = None
    began: float = 0.0

    @property
    def is_read(self) -> bool:
        return self.operation in READS


@dataclass(slots=True)
class Meter:
    calls: list[Call] = field(default_factory=list)
    keeps: bool = False  # requests and answers too

    @property
    def read_units(self) -> float:
        return sum(call.units for call in self.calls if call.is_read)

    @property
    def write_units(self) -> float:
        return sum(call.units for call in self.calls if not call.is_read)

    def server_timing(self) -> str:
        """Returns the value of a `Server-Timing` header: the sum first, then each call in order."""
        total = sum(call.milliseconds for call in self.calls)
        summary = f"{len(self.calls)} calls, {self.read_units:g} RCU, {self.write_units:g} WCU"
        parts = [f'dynamodb;dur={total:.1f};desc="{summary}"']
        for number, call in enumerate(self.calls, 1):
            cost = f"{call.operation} {call.units:g} {'RCU' if call.is_read else 'WCU'}"
            name = call.access_pattern or "unnamed"
            parts.append(f'{number}-{name};dur={call.milliseconds:.1f};desc="{cost}"')
        return ", ".join(parts)


_meter: ContextVar[Meter | None] = ContextVar("meter", default=None)
_access_pattern: ContextVar[str] = ContextVar("access_pattern", default="")


@contextmanager
def measure(*, keep: bool = False) -> Iterator[Meter]:
    """Collects every call made inside the block, in this thread, with requests and answers if it is to `keep` them. An
    outer block collects the calls too, and keeps what it is to keep."""
    outer = _meter.get()
    meter = Meter(keeps=keep or (outer is not None and outer.keeps))
    token = _meter.set(meter)
    try:
        yield meter
    finally:
        _meter.reset(token)
        if outer is not None:
            outer.calls += meter.calls


def access_pattern(function: Callable[P, R]) -> Callable[P, R]:
    """Names the calls inside a function after the function. The innermost name wins."""

    @functools.wraps(function)
    def named(*args: P.args, **kwargs: P.kwargs) -> R:
        token = _access_pattern.set(function.__name__)
        try:
            return function(*args, **kwargs)
        finally:
            _access_pattern.reset(token)

    named.is_access_pattern = True  # type: ignore[attr-defined]
    return named


def register(events: Any) -> None:
    """Hooks the meter into a botocore client's events."""
    events.register("before-call.dynamodb", _start)
    events.register("after-call.dynamodb", _finish)


def _start(params: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    context["metered_from"] = time.perf_counter()
    context["asked"] = params["body"]


def _finish(model: Any, parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
    milliseconds = (time.perf_counter() - context["metered_from"]) * 1000
    units = _units(parsed.get("ConsumedCapacity"))
    meter = _meter.get()
    keeps = meter is not None and meter.keeps
    kept = (context["asked"], parsed, context["metered_from"]) if keeps else ()
    call = Call(model.name, _access_pattern.get(), units, milliseconds, *kept)
    metrics.count_call(
        operation=call.operation,
        access_pattern=call.access_pattern,
        units=units,
        is_read=call.is_read,
        retries=parsed.get("ResponseMetadata", {}).get("RetryAttempts", 0),
        error=parsed.get("Error", {}).get("Code", ""),
    )
    if meter is not None:
        meter.calls.append(call)


def _units(capacity: Any) -> float:
    if isinstance(capacity, list):  # batches and transactions answer one entry a table
        return sum(_units(entry) for entry in capacity)
    return float(capacity["CapacityUnits"]) if capacity else 0.0


# What this process spends at the table, summed in memory by what spent it: a kind of page, a stream handler, a
# job.
#
# Pages are sampled (`COST_SAMPLE`), and the worker and its clock are measured whole. Nothing here calls the
# table: the room `costs` is told when the first sum arises, and takes the sums later.

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

"""Measures each call to DynamoDB: operation, access pattern, capacity units and time.

DynamoDB answers every call with the capacity it consumed. PynamoDB asks for it and then drops it. A botocore hook keeps
it here, in the `Meter` of the current request. The `Server-Timing` header shows it, and tests use it to hold pages to
their budgets.
"""

import functools
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

from socialsite.web.observing import metrics

P = ParamSpec("P")
R = TypeVar("R")

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

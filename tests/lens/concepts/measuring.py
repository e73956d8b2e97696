"""Measures a way of doing something, and compares it with the figures that the pages show.

`make documents` writes figures and documents anew.
"""

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import orjson

from lens.concepts.concept import FILE, Measured, measured
from socialsite.table import Call, item_size, measure

WRITES = os.environ.get("DOCUMENTS") == "write"


def of(
    way: str,
    ask: Callable[[], Any],
    *,
    is_without: bool = False,
    only: str = "",
    with_size: bool = False,
) -> Measured:
    """What a way costs, of all its calls or of one operation."""
    with measure(keep=True) as meter:
        ask()
    calls = [call for call in meter.calls if not only or call.operation == only]
    return Measured(
        way,
        len(calls),
        sum(call.units for call in calls if call.is_read),
        sum(call.units for call in calls if not call.is_read),
        is_without,
        round(sum(_bytes(call) for call in calls) / 1024, 1) if with_size else 0,
    )


def without(way: str, ask: Callable[[], Any], **more: Any) -> Measured:
    return of(way, ask, is_without=True, **more)


def hold(name: str, *rows: Measured) -> None:
    """The pages show these figures."""
    if WRITES:
        kept = orjson.loads(FILE.read_bytes()) | {name: [asdict(row) for row in rows]}
        FILE.write_bytes(
            orjson.dumps(kept, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n"
        )
    assert measured(name) == list(rows)


def _bytes(call: Call) -> int:
    return sum(item_size(raw) for raw in (call.answer or {}).get("Items", ()))

"""What the same page would cost in other designs, computed from the calls that it made. Nothing is guessed: a design
that would not differ is left out."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from lens.calls import SeenCall

ANSWER_BYTES = 1024 * 1024  # a Scan answers at most so much at once
UNIT_BYTES = 4096
HALF = 0.5  # units for 4 KB of an eventually consistent read


@dataclass(frozen=True, slots=True)
class Naive:
    """A design, with the calls and read units that it takes, and how they were computed."""

    design: str
    calls: int
    units: float
    formula: str


def one_item_at_a_time(calls: Sequence[SeenCall]) -> Naive | None:
    """Each key of a batch as a GetItem of its own: the same units in more calls."""
    batches = [one for one in calls if one.call.operation == "BatchGetItem"]
    if not batches:
        return None
    keys = sum(len(one.keys) for one in batches)
    reads = [one for one in calls if one.call.is_read]
    count = len(reads) - len(batches) + keys
    units = sum(one.call.units for one in reads)
    return Naive(
        gettext("one item at a time"), count, units, f"{len(reads)} − {len(batches)} + {keys} calls"
    )


def scans(calls: Sequence[SeenCall], table_bytes: int) -> Naive | None:
    """Each Query as a Scan of the whole table with a filter."""
    queries = [one for one in calls if one.call.operation == "Query"]
    if not queries or not table_bytes:
        return None
    each = math.ceil(table_bytes / UNIT_BYTES) * HALF
    pages = math.ceil(table_bytes / ANSWER_BYTES)
    reads = [one for one in calls if one.call.is_read]
    others = [one for one in reads if one.call.operation != "Query"]
    return Naive(
        gettext("Scan with a filter"),
        len(others) + len(queries) * pages,
        sum(one.call.units for one in others) + len(queries) * each,
        f"{len(queries)} × ⌈{table_bytes:,} ÷ {UNIT_BYTES:,}⌉ × {HALF} R, each in "
        f"⌈{table_bytes:,} ÷ {ANSWER_BYTES:,}⌉ calls",
    )

"""Figures beside a page's own: its budget, what a naive model would ask, the bytes of the table."""

import math
import time
from collections.abc import Sequence
from contextvars import Context
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext

from lens.calls import SeenCall
from socialsite.process_state import kept_by_process
from socialsite.table import TableError, access_pattern, item_size, translated
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan_page

# What each page may take: calls and read units at most, however much there is. Tests hold the pages to these
# figures (`tests/lens/test_budgets.py`), and the lens shows them.


@dataclass(frozen=True, slots=True)
class Kept:
    """How a page stands to its budget."""

    calls: bool
    reads: bool

    @property
    def is_whole(self) -> bool:
        return self.calls and self.reads


@dataclass(frozen=True, slots=True)
class Budget:
    """At most so many calls and read units: those of a full page, so a page with less to show takes less. What is done
    once a day, such as finding people to suggest, is more."""

    calls: int
    reads: float

    def kept(self, calls: int, reads: float) -> Kept:
        return Kept(calls <= self.calls, reads <= self.reads)


# What a process asks once in ten seconds for all its pages; the page that happens to ask is not charged.
FOR_ALL_PAGES = {
    "read_site_rules",
    "list_waiting",
    "count_now",
    "read_newest_authors",
    "read_explored",
}
NO_LIST = Budget(1, 2)  # who is looking, and what waits for them

BUDGETS = {
    "feed:home": Budget(4, 54),
    "feed:favourites": Budget(33, 68),
    "feed:local": Budget(11, 68),
    "feed:explore": Budget(4, 60),
    "feed:explore_people": Budget(4, 54),
    "feed:welcome": Budget(4, 23),
    "feed:profile": Budget(7, 67),
    "feed:replies": Budget(7, 50),
    "feed:profile_media": Budget(6, 59),
    "feed:post": Budget(6, 62),
    "feed:likers": Budget(5, 36),
    "feed:reposters": Budget(5, 36),
    "feed:quotes": Budget(5, 76),
    "feed:saved": Budget(4, 64),
    "feed:compose": NO_LIST,
    "tags:tag": Budget(5, 50),
    "tags:followed_tags": Budget(2, 4),
    "relations:followers": Budget(5, 39),
    "relations:following": Budget(5, 39),
    "relations:friends": Budget(5, 38),
    "relations:privacy": NO_LIST,
    "accounts:edit_profile": Budget(2, 2.5),
    "accounts:appearance": NO_LIST,
    "notifications:notifications": Budget(4, 56),
}


def budget_of(page: str) -> Budget | None:
    """Returns the budget of a page by the name of its address, such as `feed:home`."""
    return BUDGETS.get(page)


# What the same page would cost in other designs, computed from the calls that it made. Nothing is guessed: a
# design that would not differ is left out.

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


MOST_COUNTED = 8  # answers of 1 MB
LASTS = 600  # seconds


@dataclass(frozen=True, slots=True)
class TableBytes:
    """The bytes of all items. `is_counted` says that they were counted here, and `is_part` that there are more."""

    count: int
    is_counted: bool = False
    is_part: bool = False


_known: dict[str, tuple[float, TableBytes]] = {}
kept_by_process(_known.clear)


def table_bytes() -> TableBytes:
    """Returns the size of the table, at most ten minutes old, and none while the engine does not tell it."""
    name = table_name()
    until, size = _known.get(name, (0.0, TableBytes(0)))
    if time.monotonic() >= until:
        try:
            size = Context().run(measure_table)  # no part of the page that shows it
        except TableError:
            return TableBytes(0)
        _known[name] = (time.monotonic() + LASTS, size)
    return size


@access_pattern
def measure_table() -> TableBytes:
    """Returns how large the table is, for the lens to say what reading all of it would cost; asked once in 10 minutes.
    Amazon tells it, up to six hours old. Engines on this machine tell none, so their items are counted, at most the
    first 8 MB.

    DescribeTable on Amazon, no units; else Scan, 1 read unit per 4 KB, in debug mode alone.
    """
    if settings.DYNAMODB_ENGINE == "amazon":
        with translated():
            answer = client().describe_table(TableName=table_name())
        return TableBytes(answer["Table"]["TableSizeBytes"])
    count, after = 0, None
    for _ in range(MOST_COUNTED if settings.DEBUG else 0):
        items, after = scan_page(after=after)
        count += sum(map(item_size, items))
        if after is None:
            break
    return TableBytes(count, is_counted=True, is_part=after is not None)

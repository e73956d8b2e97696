"""How large the table is, for what a Scan of it would cost."""

import time
from contextvars import Context
from dataclasses import dataclass

from django.conf import settings

from socialsite.table.connection import client, table_name
from socialsite.table.errors import TableError, translated
from socialsite.table.meter import access_pattern
from socialsite.table.reading import scan_page
from socialsite.table.size import item_size

MOST_COUNTED = 8  # answers of 1 MB
LASTS = 600  # seconds


@dataclass(frozen=True, slots=True)
class TableBytes:
    """The bytes of all items. `is_counted` says that they were counted here, and `is_part` that there are more."""

    count: int
    is_counted: bool = False
    is_part: bool = False


_known: dict[str, tuple[float, TableBytes]] = {}


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
    """Returns the size that DescribeTable tells on Amazon, up to six hours old. Engines on this machine tell none, so
    their items are counted, at most the first 8 MB.

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

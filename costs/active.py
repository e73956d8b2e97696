"""How many people were here, day by day."""

from collections.abc import Mapping

from costs.window import Window
from moderation.models import DayCount
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.row import row

ACTIVE = "active"  # the name of their day count


@access_pattern
def list_active(window: Window) -> Mapping[str, int]:
    """Returns how many people made a signed-in request on each of these days (UTC). `stream_handlers/count_active.py`
    counts them.

    One Query for each month, 0.5 read units per 4 KB, of all that is counted by day.
    """
    rows = (
        row(DayCount, raw)
        for month in window.months
        for raw in query(keys.day_counts(month), between=window.bounds)
    )
    return {count.day: int(count.times) for count in rows if count.name == ACTIVE}

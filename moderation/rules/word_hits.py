"""How many posts met a word filter, week by week. `stream_handlers/count_word_hits.py` counts them."""

from dataclasses import dataclass
from datetime import date, timedelta

from moderation.models import DayCount
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.row import row

WEEKS = 12
KEPT_DAYS = 7 * (WEEKS + 1)


@dataclass(frozen=True, slots=True)
class Week:
    """Seven days in UTC, and how many posts met the filter in them."""

    begin: date
    times: int


@access_pattern
def get_word_hits(rule_id: str) -> list[Week]:
    """Returns how often a word filter was met in each of the last 12 weeks, the oldest first. The last ends today.

    Query `PK = hits#<word>` from the first day on, at most 84 items: 1 read unit.
    """
    today = utc_now().date()
    first = today - timedelta(days=7 * WEEKS - 1)
    times = [0] * WEEKS
    partition = keys.word_hits(rule_id)
    for raw in query(partition, between=(first.isoformat(), today.isoformat())):
        hits = row(DayCount, raw)
        times[(date.fromisoformat(hits.day) - first).days // 7] += int(hits.times)
    return [Week(first + timedelta(days=7 * n), one) for n, one in enumerate(times)]

"""What was spent, as the stream worker added it up: by day and by kind of page, handler or job."""

from dataclasses import dataclass

from costs.models import CostDay
from costs.prices import price
from costs.window import Window
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query
from socialsite.table.row import row


@dataclass(frozen=True, slots=True)
class Spent:
    """What one spender spent on a day, or on several. `samples` is how often it was measured, the rest is estimated
    for all of it."""

    day: str
    kind: str
    name: str
    samples: int
    times: int
    reads: float
    writes: float

    @property
    def dollars(self) -> float:
        return price(reads=self.reads, writes=self.writes)


@access_pattern
def list_spent(window: Window) -> list[Spent]:
    """Returns what each spender spent on each of these days (UTC). One Query for each month, 0.5 read units per 4 KB:
    about 2.5 for a day on which 130 kinds of pages and handlers ran."""
    found = (
        row(CostDay, raw)
        for month in window.months
        for raw in query(keys.cost_days(month), between=window.bounds)
    )
    return [
        Spent(
            day=one.day,
            kind=one.kind,
            name=one.name,
            samples=int(one.samples),
            times=int(one.times),
            reads=int(one.half_reads) / 2,
            writes=int(one.writes),
        )
        for one in found
    ]

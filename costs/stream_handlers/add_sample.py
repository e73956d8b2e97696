"""Adds what the processes spent to the sums of the day, through the ledger, which counts each sample once."""

from contextlib import suppress
from datetime import timedelta

from costs.models import CostDay, CostSample
from socialsite.clock import utc_now
from socialsite.streams.change import Change
from socialsite.streams.dispatch import on
from socialsite.streams.ledger import Ledger
from socialsite.table import keys
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.writing import create

DAYS_KEPT = timedelta(days=400)


@on(CostSample, "INSERT")
@access_pattern
def add_sample(change: Change, ledger: Ledger) -> None:
    """Adds each row to its day. One consistent BatchGetItem, 1 read unit a row, and 1 write unit for each row that is
    new on its day; the commit takes 2 a row.

    Safe to run twice: a day's sum is created once, and the ledger adds to it.
    """
    sample = change.item
    assert isinstance(sample, CostSample)
    ttl = utc_now() + DAYS_KEPT
    rows = {keys.cost_day(sample.day, row[0], row[1]): row for row in sample.rows}
    known = fetch(rows, consistent=True)
    for key, (kind, name, *_) in rows.items():
        if key not in known:
            with suppress(AlreadyExists):
                create(CostDay.new(day=sample.day, kind=kind, name=name, ttl=ttl))
    # Nothing may fail between the entries: a retry would make the first one twice.
    for key, (*_, samples, times, half_reads, writes) in rows.items():
        sums = [
            (CostDay.samples, samples),
            (CostDay.times, times),
            (CostDay.half_reads, half_reads),
            (CostDay.writes, writes),
        ]
        ledger.add_all(CostDay, key, sums, if_gone=_nothing)


def _nothing() -> None:
    """Does nothing, because the sums of a day expire long after its samples."""

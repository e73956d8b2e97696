"""What the site spent and stores. Shape and keys only."""

from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import Item, keys


class CostSample(Item, discriminator="CostSample"):
    """What one process spent in some seconds. Each row has kind, name, samples, times, half read units and write units.
    The stream worker adds them to the days. Expires soon."""

    family = "machinery"

    day = UnicodeAttribute()
    rows = JSONAttribute()

    @classmethod
    def new(cls, *, sample_id: str, day: str, rows: list[list[Any]], ttl: datetime) -> Self:
        return cls(*keys.cost_sample(sample_id), day=day, rows=rows, ttl=ttl)


class CostDay(Item, discriminator="CostDay"):
    """What one kind of page, handler or job spent on a day (UTC), of all processes. Only the stream worker counts it.

    `samples` is how often it was measured. The others are estimates for all of it. Reads come in halves of a unit.
    """

    family = "machinery"

    day = UnicodeAttribute()
    kind = UnicodeAttribute()
    name = UnicodeAttribute()
    samples = NumberAttribute(default=0)
    times = NumberAttribute(default=0)
    half_reads = NumberAttribute(default=0)
    writes = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, day: str, kind: str, name: str, ttl: datetime) -> Self:
        return cls(*keys.cost_day(day, kind, name), day=day, kind=kind, name=name, ttl=ttl)


class StoredCount(Item, discriminator="StoredCount"):
    """How many items of each type the table had, with their bytes, and the bytes of their copies in indexes."""

    family = "machinery"

    began_at = UnicodeAttribute()
    counted_at = UnicodeAttribute()
    counts = JSONAttribute()

    @classmethod
    def new(
        cls, *, began_at: str, counted_at: str, counts: dict[str, list[int]], ttl: datetime
    ) -> Self:
        key = keys.stored_count(began_at)
        return cls(*key, began_at=began_at, counted_at=counted_at, counts=counts, ttl=ttl)

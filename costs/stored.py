"""What is stored, and who was active: counted by a job."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from accounts.people.viewer import Viewer
from costs.models import StoredCount
from costs.prices import Window, price
from moderation.log.writes import record
from moderation.models import DayCount
from socialsite.clock import utc_now_iso
from socialsite.streams import Job, JobKind
from socialsite.table import (
    INDEXES,
    MOST_BYTES,
    AlreadyExists,
    Create,
    Key,
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    get,
    item_size,
    keys,
    query,
    row,
)
from socialsite.table.reading import query_all
from socialsite.table.transport.requests import query_request

ACTIVE = "active"  # the name of their day count


@access_pattern
def list_active(window: Window) -> Mapping[str, int]:
    """Returns how many people made a signed-in request on each of these days (UTC). `stream_handlers.py`
    counts them.

    17 Queries for each month, as people are counted in 16 parts; 0.5 read units per 4 KB, of all that is counted by
    day.
    """
    requests = [
        query_request(part, between=window.bounds)
        for month in window.months
        for part in keys.parts_of(keys.day_counts(month))
    ]
    found = Counter[str]()
    for raw in chain.from_iterable(query_all(requests)):
        count = row(DayCount, raw)
        if count.name == ACTIVE:
            found[count.day] += int(count.times)
    return found


OVERHEAD = 100  # bytes that Amazon adds to each item, and to each copy in an index
PEOPLE = "UserInfo"  # the type of which each person has one

Counts = Mapping[str, list[int]]  # by type: items, bytes, bytes in indexes


@dataclass(frozen=True, slots=True)
class StoredType:
    name: str
    items: int
    size: int  # bytes, as Amazon bills them
    in_indexes: int  # bytes

    @property
    def total(self) -> int:
        return self.size + self.in_indexes

    @property
    def average(self) -> float:
        return self.size / self.items if self.items else 0


@dataclass(frozen=True, slots=True)
class Stored:
    counted_at: datetime
    types: list[StoredType]  # the largest first

    @property
    def items(self) -> int:
        return sum(one.items for one in self.types)

    @property
    def size(self) -> int:
        return sum(one.size for one in self.types)

    @property
    def in_indexes(self) -> int:
        return sum(one.in_indexes for one in self.types)

    @property
    def total(self) -> int:
        return self.size + self.in_indexes

    @property
    def count_dollars(self) -> float:
        """What it costs to count them again."""
        return price(reads=self.size / MOST_BYTES, writes=0)

    @property
    def people(self) -> int:
        return next((one.items for one in self.types if one.name == PEOPLE), 0)


@access_pattern
def get_stored() -> Stored | None:
    """Returns the last count of what the table stores by type, or None before the first. One Query of one item, 0.5
    read units."""
    newest = next(query(keys.stored_counts(), forward=False, limit=1), None)
    if newest is None:
        return None
    count = as_model(StoredCount, newest)
    types = [StoredType(name, *sums) for name, sums in count.counts.items()]
    types.sort(key=lambda one: (-one.total, one.name))
    return Stored(datetime.fromisoformat(count.counted_at), types)


@access_pattern
def counted_so_far() -> int | None:
    """Returns how many items the count that is under way has seen, None if there is none. One GetItem, 0.5 read
    units."""
    try:
        return int(get(Job, counting_key()).done)
    except NotFound:
        return None


def counting_key() -> Key:
    """Returns the key of the count that is under way: there is one at a time."""
    return keys.job(JobKind.COUNT_STORED, "all")


def add_items(counts: Counts, items: Iterable[RawItem]) -> dict[str, list[int]]:
    """Returns the counts with these items."""
    sums = {name: list(of_type) for name, of_type in counts.items()}
    for raw in items:
        of_type = sums.setdefault(raw.get("type", {}).get("S", ""), [0, 0, 0])
        size = item_size(raw) + OVERHEAD
        of_type[0] += 1
        of_type[1] += size
        of_type[2] += size * sum(raw.keys() >= set(index) for index in INDEXES.values())
    return sums


class AlreadyCounting(AlreadyExists):
    """A count is under way."""


@access_pattern
def count_stored(*, by: Viewer) -> None:
    """Starts the job that counts (`stream_handlers.py`), and enters it in the audit log. Raises
    `AlreadyCounting`.

    As `record`, with one action more: 6 write units and 1 read unit. The job reads the whole table.
    """
    key = counting_key()
    job = Job(*key, kind=JobKind.COUNT_STORED, job_id="all", subject_id=utc_now_iso())
    record(Create(job, otherwise=AlreadyCounting), by=by.user_id, action="count stored")

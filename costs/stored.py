"""How many items of each type the table has, and how large they are: counted when an admin asks for it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from costs.models import StoredCount
from costs.prices import price
from socialsite.models import Job, JobKind
from socialsite.table import keys
from socialsite.table.errors import NotFound
from socialsite.table.item import INDEXES
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, get, query
from socialsite.table.size import MOST_BYTES, item_size

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
    """Returns the last count, or None before the first. One Query of one item, 0.5 read units."""
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

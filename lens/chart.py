"""The key chart, as the code has it (`socialsite/table/keys/`)."""

import re
from dataclasses import dataclass
from functools import cache

from socialsite.table import keys

ROW = re.compile(r"^\| (`[^|]+`) +\| (`[^|]+`) +\| (\w+) +\|$", re.MULTILINE)
PLACE = re.compile(r"<[^>]+>")


@dataclass(frozen=True, slots=True)
class Shape:
    """An item type with the ways its keys are written, such as `u#<user>#post` and `p#<post>`."""

    item: str
    partitions: tuple[str, ...]
    sorts: tuple[str, ...]

    @property
    def partition(self) -> str:
        return self.partitions[0]

    @property
    def sort(self) -> str:
        return self.sorts[0]


@cache
def shapes() -> dict[str, Shape]:
    """Returns the chart by item type, in its order."""
    found: dict[str, Shape] = {}
    for partition, sort, item in ROW.findall(keys.__doc__ or ""):
        earlier = found.get(item, Shape(item, (), ()))
        found[item] = Shape(
            item, earlier.partitions + _written(partition), earlier.sorts + _written(sort)
        )
    return found


def shapes_of(partition: str) -> list[Shape]:
    """Returns the item types that such a partition may hold."""
    return [
        shape
        for shape in shapes().values()
        if any(_pattern(written).fullmatch(partition) for written in shape.partitions)
    ]


def _written(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


@cache
def _pattern(written: str) -> re.Pattern[str]:
    parts = (re.escape(part) for part in PLACE.split(written))
    return re.compile("[^#]+".join(parts))

"""What came back from the table, by type and size."""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from socialsite.table.reading import RawItem
from socialsite.table.size import item_size

HUES = 12  # in static/css/lens.css


@dataclass(frozen=True, slots=True)
class OfType:
    """The items of a type in an answer, and their bytes together."""

    name: str
    count: int
    size: int

    @property
    def hue(self) -> int:
        """Returns the number of the type's colour, the same on every page."""
        return hue_of(self.name)


def hue_of(name: str) -> int:
    return zlib.crc32(name.encode()) % HUES


def items_in(answer: Mapping[str, Any]) -> list[RawItem]:
    """Returns the items of an answer, whichever operation gave it."""
    if "Responses" in answer:
        found = answer["Responses"]
        by_table = (
            found.values() if isinstance(found, Mapping) else [[one.get("Item")] for one in found]
        )
        return [item for items in by_table for item in items if item]
    if "Items" in answer:
        return list(answer["Items"])
    return [answer["Item"]] if answer.get("Item") else []


def by_type(items: Iterable[RawItem]) -> list[OfType]:
    """Returns the types of the items in the order of their first items."""
    counts, sizes = Counter[str](), Counter[str]()
    for raw in items:
        name = raw.get("type", {}).get("S", "")
        counts[name] += 1
        sizes[name] += item_size(raw)
    return [OfType(name, count, sizes[name]) for name, count in counts.items()]


def keys_of(items: Iterable[RawItem]) -> Iterator[tuple[str, str]]:
    return ((raw["PK"]["S"], raw["SK"]["S"]) for raw in items)

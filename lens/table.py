"""A partition of the table as it is stored."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import orjson

from lens.chart import Shape, shapes, shapes_of
from socialsite.table import keys
from socialsite.table.ids import is_id
from socialsite.table.item import escalated_index_name, type_index_name
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import INDEXES, RawItem, query
from socialsite.table.size import item_size

PAGE = 50
# Attributes that hold the id of a person, whose partition they lead to.
PEOPLE = {
    *("user_id", "author_id", "other_id", "person_id", "follower_id", "followed_id"),
    *("subscriber_id", "root_author_id", "reply_to_author_id", "repost_of_author_id"),
    "quote_of_author_id",
}


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute of an item. `partition` is where its id leads, empty if it is none."""

    name: str
    kind: str
    text: str
    partition: str = ""


@dataclass(frozen=True)
class StoredItem:
    """An item with all that the table keeps of it."""

    raw: RawItem

    @property
    def partition(self) -> str:
        return str(self.raw["PK"]["S"])

    @property
    def sort(self) -> str:
        return str(self.raw["SK"]["S"])

    @property
    def type(self) -> str:
        return str(self.raw.get("type", {}).get("S", ""))

    @property
    def shape(self) -> Shape | None:
        return shapes().get(self.type)

    @property
    def size(self) -> int:
        return item_size(self.raw)

    @property
    def expires(self) -> datetime | None:
        """Returns when TTL may delete it."""
        number = self.raw.get("ttl", {}).get("N")
        return datetime.fromtimestamp(int(number), UTC) if number else None

    @property
    def indexes(self) -> list[str]:
        """Returns the sparse indexes in which it stands: those of which it has both keys."""
        return [
            name
            for name in (type_index_name, escalated_index_name)
            if all(key in self.raw for key in INDEXES[name])
        ]

    @property
    def values(self) -> list[Value]:
        return list(_values(self.raw))


@dataclass(frozen=True, slots=True)
class Partition:
    """A page of a partition. `following` is the sort key after which the next one begins, empty at its end."""

    name: str
    items: list[StoredItem]
    shapes: list[Shape]
    following: str = ""


@access_pattern
def read_partition(name: str, *, after: str = "") -> Partition:
    """Returns a page of a partition's items, expired ones too, in their order.

    Query `PK = <name>`, 50 items: 0.5 read units per 4 KB.
    """
    start = Key(name, after) if after else None
    found = query(name, after=start, limit=PAGE + 1, with_expired=True)
    items = [StoredItem(raw) for raw in islice(found, PAGE + 1)]
    following = items[PAGE - 1].sort if len(items) > PAGE else ""
    return Partition(name, items[:PAGE], shapes_of(name), following)


def _values(raw: RawItem) -> Iterator[Value]:
    for name, value in raw.items():
        if name in ("PK", "SK", "type"):
            continue
        ((kind, content),) = value.items()
        yield Value(name, kind, _text(kind, content), _partition_of(name, kind, content))


def _text(kind: str, content: Any) -> str:
    """Returns the value as text. What is sealed is told by its length."""
    match kind:
        case "B":
            size = len(content if isinstance(content, bytes) else base64.b64decode(content))
            return f"({size} bytes)"
        case "SS":
            return ", ".join(sorted(content))
        case "S" | "N":
            return str(content)
        case _:
            return orjson.dumps(content).decode()


def _partition_of(name: str, kind: str, content: Any) -> str:
    if kind != "S" or not is_id(str(content)):
        return ""
    return keys.user(content) if name in PEOPLE else ""

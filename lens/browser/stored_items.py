"""An item with all that the table keeps of it, in pieces that lead on."""

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import orjson

from lens.browser.item_types import ItemType, item_types
from lens.browser.links import Links, Part, address_of
from lens.browser.pages import page_of
from socialsite.clock import utc_now
from socialsite.table.item import INDEXES
from socialsite.table.reading import RawItem
from socialsite.table.size import item_size


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute of an item. `parts` are its value, in pieces of which some lead on."""

    name: str
    kind: str
    parts: list[Part]
    is_masked: bool = False
    length: int = 0  # bytes


@dataclass(frozen=True, slots=True)
class Place:
    """Where an item stands in an index."""

    index: str
    partition: str
    sort: str
    address: str


@dataclass
class StoredItem:
    """An item with all that the table keeps of it. `is_masked` if its values are told by their length alone."""

    raw: RawItem
    is_masked: bool = False
    handles: Mapping[str, str] = field(default_factory=dict)

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
    def known_type(self) -> ItemType | None:
        return item_types().get(self.type)

    @property
    def address(self) -> str:
        return address_of(self.partition, self.sort)

    @property
    def page(self) -> str:
        return page_of(self.raw, self.handles)

    @property
    def size(self) -> int:
        return item_size(self.raw)

    @property
    def expires(self) -> datetime | None:
        """Returns when TTL may delete it."""
        number = self.raw.get("ttl", {}).get("N")
        try:
            return datetime.fromtimestamp(int(number), UTC) if number else None
        except (ValueError, OverflowError):
            return None

    @property
    def is_expired(self) -> bool:
        return self.expires is not None and self.expires <= utc_now()

    @property
    def places(self) -> list[Place]:
        """Returns where it stands in the sparse indexes: in those of which it has both keys."""
        found = []
        for index, (partition_key, sort_key) in INDEXES.items():
            if partition_key in self.raw and sort_key in self.raw:
                partition, sort = (str(self.raw[one]["S"]) for one in (partition_key, sort_key))
                found.append(Place(index, partition, sort, address_of(partition, index=index)))
        return found

    @cached_property
    def sort_parts(self) -> list[Part]:
        return self._links.of_key(self.sort)

    @cached_property
    def partition_parts(self) -> list[Part]:
        return self._links.of_key(self.partition)

    @cached_property
    def values(self) -> list[Value]:
        return list(self._values())

    @property
    def people(self) -> Iterator[str]:
        """Yields the people whom its keys and values name."""
        parts = [*self.partition_parts, *self.sort_parts]
        parts += [part for value in self.values for part in value.parts]
        yield from (part.person_id for part in parts if part.person_id)

    @cached_property
    def _links(self) -> Links:
        return Links(self.raw)

    def _values(self) -> Iterator[Value]:
        in_keys = {name for pair in INDEXES.values() for name in pair} | {"ttl"}
        for name, value in sorted(self.raw.items()):
            if name in ("PK", "SK", "type"):
                continue
            ((kind, content),) = value.items()
            texts = sorted(content) if kind == "SS" else [_text(kind, content)]
            parts = [self._part(name, kind, text) for text in texts]
            is_masked = self.is_masked and name not in in_keys
            if is_masked and not all(part.address for part in parts):
                parts = []
            length = item_size({"": value})
            yield Value(name, kind, parts, is_masked and not parts, length)

    def _part(self, name: str, kind: str, text: str) -> Part:
        is_id = kind in ("S", "SS")
        return (self._links.of_value(name, text) if is_id else None) or Part(text)


def _text(kind: str, content: Any) -> str:
    """Returns the value as text. What is sealed is told by its length."""
    match kind:
        case "B":
            size = len(content if isinstance(content, bytes) else base64.b64decode(content))
            return f"({size} bytes)"
        case "S" | "N":
            return str(content)
        case "M" | "L":
            return orjson.dumps(_plain({kind: content}), default=str).decode()
        case _:
            return orjson.dumps(content, default=str).decode()


def _plain(value: Mapping[str, Any]) -> Any:
    """Returns a value without the types of DynamoDB's JSON."""
    ((kind, content),) = value.items()
    match kind:
        case "M":
            return {name: _plain(one) for name, one in content.items()}
        case "L":
            return [_plain(one) for one in content]
        case "B":
            return _text(kind, content)
        case _:
            return content

"""A raw item under the names of its model: `row(Post, raw).content`.

Hot pages read raw items (`{"content": {"S": "…"}}`) and build cards of them: turning each into a model costs more than
fetching it. A row reads an attribute when it is asked for, by the model's own declaration, so that the models stay the
one definition of every item; mypy takes it for the model. It has the attributes alone, and is for reading.

What an item does not have is `""` of a string, 0 of a number, `()` of a set, `False` of a boolean, else `None`. Numbers
are whole, and a set is a sorted tuple.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from pynamodb.attributes import (
    Attribute,
    AttributeContainer,
    BooleanAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table.reading import RawItem

M = TypeVar("M", bound=AttributeContainer)  # an item, or a map in one


class _Row:
    __slots__ = ("raw",)

    def __init__(self, raw: RawItem) -> None:
        self.raw = raw


def row(model: type[M], raw: RawItem) -> M:
    """The raw item, to be read as an instance of the model would be."""
    typed: Any = _row_class(model)(raw)
    return typed


@cache
def _row_class(model: type[M]) -> type[_Row]:
    attributes = model.get_attributes().items()
    readers = {name: property(_reader(attribute)) for name, attribute in attributes}
    return type(f"{model.__name__}Row", (_Row,), {"__slots__": (), **readers})


def _reader(attribute: Attribute[Any]) -> Callable[[_Row], Any]:
    name = attribute.attr_name

    def string(row: _Row) -> str:
        value = row.raw.get(name)
        return value.get("S", "") if value else ""

    def number(row: _Row) -> int:
        value = row.raw.get(name)
        return int(value.get("N", 0)) if value else 0

    def strings(row: _Row) -> tuple[str, ...]:
        value = row.raw.get(name)
        return tuple(sorted(value.get("SS", ()))) if value else ()

    def boolean(row: _Row) -> bool:
        value = row.raw.get(name)
        return value.get("BOOL", False) if value else False

    def other(row: _Row) -> Any:
        value = row.raw.get(name)
        return attribute.deserialize(attribute.get_value(value)) if value else None

    readers: dict[type, Callable[[_Row], Any]] = {
        UnicodeAttribute: string,
        NumberAttribute: number,
        UnicodeSetAttribute: strings,
        BooleanAttribute: boolean,
    }
    return readers.get(type(attribute), other)

"""A call to the table as the drawer shows it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from lens.items import OfType, by_type, items_in, keys_of
from lens.patterns import Pattern, pattern_of
from socialsite.table.meter import Call

Key = tuple[str, str]
NAME = re.compile(r"[#:][\w]+")
WRITES = ("Put", "Update", "Delete", "ConditionCheck")


@dataclass(frozen=True, slots=True)
class Action:
    """One action of a transaction, a batch, or a write of its own."""

    kind: str
    type: str
    key: Key
    condition: str = ""
    update: str = ""


@dataclass(frozen=True)
class SeenCall:
    """A call with its number on the page."""

    number: int
    call: Call

    @property
    def pattern(self) -> Pattern:
        return pattern_of(self.call.access_pattern)

    @property
    def unit(self) -> str:
        return "R" if self.call.is_read else "W"

    @cached_property
    def request(self) -> dict[str, Any]:
        asked: dict[str, Any] = orjson.loads(self.call.asked)
        return asked

    @cached_property
    def found(self) -> list[OfType]:
        return by_type(items_in(self.call.answer or {}))

    @property
    def index(self) -> str:
        return str(self.request.get("IndexName", ""))

    @property
    def condition(self) -> str:
        """Returns the condition of a Query with its names and values, such as `PK = u#…#post AND SK < p#…`."""
        return _in_words(self.request, "KeyConditionExpression")

    @property
    def filter(self) -> str:
        return _in_words(self.request, "FilterExpression")

    @cached_property
    def keys(self) -> list[Key]:
        """Returns the keys that a read names."""
        if "Key" in self.request and self.call.is_read:
            return [_key(self.request["Key"])]
        tables = self.request.get("RequestItems", {}) if self.call.is_read else {}
        named = [key for asked in tables.values() for key in asked["Keys"]]
        named += [
            one["Get"]["Key"] for one in self.request.get("TransactItems", ()) if "Get" in one
        ]
        return [_key(key) for key in named]

    @cached_property
    def missing(self) -> set[Key]:
        """Returns the named keys without an item."""
        return set(self.keys) - set(keys_of(items_in(self.call.answer or {})))

    @cached_property
    def actions(self) -> list[Action]:
        """Returns what a write does, in order."""
        if self.call.is_read:
            return []
        return list(_actions(self.call.operation, self.request))

    @property
    def json(self) -> str:
        return orjson.dumps(self.request, option=orjson.OPT_INDENT_2).decode()


def _actions(operation: str, request: Mapping[str, Any]) -> Sequence[Action]:
    if operation == "TransactWriteItems":
        return [
            _action(kind, one) for entry in request["TransactItems"] for kind, one in entry.items()
        ]
    if operation == "BatchWriteItem":
        return [
            _action(kind.removesuffix("Request"), one)
            for requests in request["RequestItems"].values()
            for entry in requests
            for kind, one in entry.items()
        ]
    return [_action(operation.removesuffix("Item"), request)]


def _action(kind: str, one: Mapping[str, Any]) -> Action:
    item = one.get("Item", {})
    return Action(
        kind=kind,
        type=item.get("type", {}).get("S", ""),
        key=_key(one.get("Key") or item),
        condition=_in_words(one, "ConditionExpression"),
        update=_in_words(one, "UpdateExpression", with_values=False),
    )


def _key(raw: Mapping[str, Any]) -> Key:
    return raw["PK"]["S"], raw["SK"]["S"]


def _in_words(request: Mapping[str, Any], part: str, *, with_values: bool = True) -> str:
    """Returns an expression with the names of its attributes, and its values, unless they are what people wrote."""
    names = request.get("ExpressionAttributeNames", {})
    values = request.get("ExpressionAttributeValues", {})

    def named(match: re.Match[str]) -> str:
        short = match[0]
        if short in names:
            return str(names[short])
        if short in values and with_values:
            return str(next(iter(values[short].values())))
        return "…" if short in values else short

    return NAME.sub(named, request.get(part, ""))

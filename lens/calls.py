"""A call to the table as the drawer shows it."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

from lens.code import as_cli, as_pynamodb
from lens.items import OfType, by_type, items_in, keys_of
from lens.patterns import Pattern, pattern_of
from lens.requests.actions import Action, Key, actions_in
from lens.requests.expressions import in_words
from lens.requests.kinds import kind_of
from lens.requests.masking import masked
from socialsite.table.meter import Call


@dataclass(frozen=True)
class SeenCall:
    """A call with its number on the page. `asked_before` are keys that earlier calls of the page asked for, and
    `is_repeated` says that one was wholly the same."""

    number: int
    call: Call
    is_masked: bool = False
    asked_before: Collection[Key] = ()
    is_repeated: bool = False
    bar: tuple[float, float] = (0.0, 0.0)  # where its time begins, and how long it is, of 100

    @property
    def pattern(self) -> Pattern:
        return pattern_of(self.call.access_pattern)

    @property
    def unit(self) -> str:
        return "R" if self.call.is_read else "W"

    @cached_property
    def request(self) -> dict[str, Any]:
        asked: dict[str, Any] = orjson.loads(self.call.asked)
        return masked(asked) if self.is_masked else asked

    @cached_property
    def found(self) -> list[OfType]:
        return by_type(items_in(self.call.answer or {}))

    @property
    def index(self) -> str:
        return str(self.request.get("IndexName", ""))

    @property
    def is_consistent(self) -> bool:
        parts = (self.request, *self.request.get("RequestItems", {}).values())
        return self.call.is_read and any(part.get("ConsistentRead") for part in parts)

    @property
    def partition(self) -> str:
        """Returns the partition that a Query reads, empty for indexes and other calls."""
        if self.call.operation != "Query" or self.index:
            return ""
        return str(self.request["ExpressionAttributeValues"][":pk"]["S"])

    @property
    def condition(self) -> str:
        """Returns the condition of a Query, such as `PK = u#…#post AND SK < p#…`."""
        return in_words(self.request, "KeyConditionExpression")

    @property
    def filter(self) -> str:
        return in_words(self.request, "FilterExpression")

    @cached_property
    def keys(self) -> list[Key]:
        """Returns the keys that a read names."""
        return keys_asked(self.call.operation, self.request)

    @cached_property
    def missing(self) -> set[Key]:
        """Returns the named keys without an item."""
        return set(self.keys) - set(keys_of(items_in(self.call.answer or {})))

    @property
    def missing_by_type(self) -> list[tuple[str, int]]:
        return Counter(kind_of(*key) for key in self.keys if key in self.missing).most_common()

    @property
    def again(self) -> list[Key]:
        """Returns the keys that an earlier call of the page has asked for."""
        return [key for key in self.keys if key in self.asked_before]

    @cached_property
    def actions(self) -> list[Action]:
        """Returns what a write does, in order."""
        return list(actions_in(self.call.operation, self.request, self.call.answer or {}))

    @property
    def written(self) -> list[OfType]:
        """Returns the types of what a write changes, without their sizes."""
        types = Counter(action.type for action in self.actions if action.kind != "ConditionCheck")
        return [OfType(name, count, 0) for name, count in types.items()]

    @property
    def error(self) -> str:
        """Returns the name of the error that the call ended with, empty if it did what was asked."""
        return str((self.call.answer or {}).get("Error", {}).get("Code", ""))

    @property
    def json(self) -> str:
        return orjson.dumps(self.request, option=orjson.OPT_INDENT_2).decode()

    @property
    def cli(self) -> str:
        return as_cli(self.call.operation, self.request)

    @property
    def pynamodb(self) -> str:
        return as_pynamodb(self.call.operation, self.request)


def keys_asked(operation: str, request: dict[str, Any]) -> list[Key]:
    """Returns the keys that the request of a read names."""
    if operation == "GetItem":
        return [_key(request["Key"])]
    if operation == "BatchGetItem":
        return [_key(key) for part in request["RequestItems"].values() for key in part["Keys"]]
    if operation == "TransactGetItems":
        return [_key(one["Get"]["Key"]) for one in request["TransactItems"]]
    return []


def _key(raw: dict[str, Any]) -> Key:
    return raw["PK"]["S"], raw["SK"]["S"]

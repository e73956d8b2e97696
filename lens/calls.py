"""The calls of a page, as the lens shows them: what was asked, by whom, what came and what it cost."""

import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from operator import itemgetter
from typing import Any

import orjson

from lens.chart import shapes
from lens.patterns import Pattern, as_cli, as_pynamodb, pattern_of
from socialsite.table import Call, RawItem, item_size

PLACE = re.compile(r"<[^>]+>")


def kind_of(partition: str, sort: str) -> str:
    """Returns the type whose keys are written so, empty if there is none. Of several it is the most exact one, and of
    equals the first of the chart, as a post for a repost."""
    fitting = [
        (len(PLACE.sub("", pk + sk)), shape.item)
        for shape in shapes().values()
        for pk in shape.partitions
        for sk in shape.sorts
        if _written(pk).fullmatch(partition) and _written(sk).fullmatch(sort)
    ]
    return max(fitting, key=itemgetter(0))[1] if fitting else ""


@cache
def _written(key: str) -> re.Pattern[str]:
    return re.compile("[^#]+".join(map(re.escape, PLACE.split(key))))


# What staff in production do not see of a request: the values that it writes and compares. Keys and ids stay.
#
# Developers see everything, as the whole table is theirs.

KEPT = {"PK", "SK", "type", "relation_target", "update_time", "escalated_to", "escalated_at"}
MASK = {"S": "…"}


def masked(request: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the request with a mask for each value that is no key, no id and no type."""
    asked_for = f"{request.get('KeyConditionExpression', '')} "
    return {name: _masked(name, part, asked_for) for name, part in request.items()}


def _masked(name: str, part: Any, asked_for: str) -> Any:
    if name == "Item":
        return {key: value if _is_kept(key) else MASK for key, value in part.items()}
    if name == "ExpressionAttributeValues":
        return {key: value if f"{key} " in asked_for else MASK for key, value in part.items()}
    if isinstance(part, dict):
        return masked(part)
    if isinstance(part, list):
        return [masked(one) if isinstance(one, dict) else one for one in part]
    return part


def _is_kept(attribute: str) -> bool:
    return attribute in KEPT or attribute.endswith("_id")


NAME = re.compile(r"[#:]\w+")


def in_words(request: Mapping[str, Any], part: str) -> str:
    """Returns one expression of the request, such as `PK = u#…#post AND SK < p#…`."""
    names = request.get("ExpressionAttributeNames", {})
    values = request.get("ExpressionAttributeValues", {})

    def named(match: re.Match[str]) -> str:
        short = match[0]
        if short in names:
            return str(names[short])
        return _value(values[short]) if short in values else short

    return NAME.sub(named, request.get(part, ""))


def _value(value: Mapping[str, Any]) -> str:
    ((kind, content),) = value.items()
    if kind in ("SS", "NS"):
        return "{" + ", ".join(content) + "}"
    return f"({len(content)} letters)" if kind == "B" else str(content)


Key = tuple[str, str]
WRITES = {"PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"}


@dataclass(frozen=True, slots=True)
class Action:
    """One action. `refusal` is why it was not done, empty if it was, or if another action was refused."""

    kind: str
    type: str
    key: Key
    condition: str = ""
    update: str = ""
    refusal: str = ""


def actions_in(
    operation: str, request: Mapping[str, Any], answer: Mapping[str, Any]
) -> Iterator[Action]:
    """Yields the actions of a request in their order, nothing if it is no write."""
    if operation not in WRITES:
        return
    parts = _parts(operation, request)
    for (kind, one), reason in zip(parts, _reasons(answer, len(parts)), strict=False):
        yield _action(kind, one, reason)


def _reasons(answer: Mapping[str, Any], count: int) -> list[str]:
    """Returns for each action why it was refused, empty where it was not."""
    if "CancellationReasons" in answer:
        codes = [reason.get("Code") for reason in answer["CancellationReasons"]]
        return ["" if code in ("None", None) else code for code in codes]
    return [answer.get("Error", {}).get("Code", "")] * count


def _parts(operation: str, request: Mapping[str, Any]) -> Sequence[tuple[str, Any]]:
    if operation == "TransactWriteItems":
        return [part for entry in request["TransactItems"] for part in entry.items()]
    if operation == "BatchWriteItem":
        return [
            (kind.removesuffix("Request"), one)
            for entries in request["RequestItems"].values()
            for entry in entries
            for kind, one in entry.items()
        ]
    return [(operation.removesuffix("Item"), request)]


def _action(kind: str, one: Mapping[str, Any], refusal: str) -> Action:
    item = one.get("Item", {})
    partition, sort = ((one.get("Key") or item)[name]["S"] for name in ("PK", "SK"))
    return Action(
        kind=kind,
        type=item.get("type", {}).get("S", "") or kind_of(partition, sort),
        key=(partition, sort),
        condition=in_words(one, "ConditionExpression"),
        update=in_words(one, "UpdateExpression"),
        refusal=refusal,
    )


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

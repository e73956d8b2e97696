"""The item types of one call: those that came back, and those that its keys name."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from lens.calls import items_in
from lens.chart import _pattern, shapes

VERBS = {
    "Get": "read",
    "Put": "write",
    "Update": "write",
    "Delete": "delete",
    "ConditionCheck": "check",
}
# Each transaction of the worker checks that it holds the lease: that is the fence's, not of the function that writes.
OF_THE_FENCE = ("Lease", "check")

_types: dict[
    tuple[str, str], str
] = {}  # of items whose keys alone do not tell it, as they were put


def used_items(
    operation: str, request: dict[str, Any], answer: dict[str, Any]
) -> Iterator[tuple[str, str]]:
    """Pairs of an item type and what was done. An item whose type nobody can tell is left out."""
    for kind, part in _parts(operation, request):
        used = _type_of(part.get("Key") or part.get("Item") or part), VERBS[kind]
        if used[0] and used != OF_THE_FENCE:
            yield used
    if operation in ("GetItem", "BatchGetItem", "TransactGetItems", "Query"):
        yield from ((_type_of(raw), "read") for raw in items_in(answer) if _type_of(raw))


@cache
def types_of_key(partition: str, sort: str) -> tuple[str, ...]:
    """Returns the item types that an item with this key may have: one, but for what is posted and reposted."""
    found = [
        (places, item)
        for of_partition, of_sort, places, item in _patterns_from(partition.partition("#")[0])
        if of_partition.fullmatch(partition) and of_sort.fullmatch(sort)
    ]
    fewest = min(found, default=(0, ""))[0]
    return tuple(dict.fromkeys(item for places, item in found if places == fewest))


@cache
def _patterns_from(beginning: str) -> list[tuple[re.Pattern[str], re.Pattern[str], int, str]]:
    """Patterns of partition and sort key, variables and type of what can stand in a partition with this beginning."""
    return [
        (
            _pattern(written),
            _pattern(sort_key),
            written.count("<") + sort_key.count("<"),
            shape.item,
        )
        for shape in shapes().values()
        for written in shape.partitions
        for sort_key in shape.sorts
        if written.partition("#")[0] == beginning
    ]


def _type_of(raw: dict[str, Any]) -> str:
    key = raw["PK"]["S"], raw["SK"]["S"]
    types = types_of_key(*key)
    if len(types) == 1:
        return types[0]
    if "type" in raw:
        _types[key] = raw["type"]["S"]
    return _types.get(key, "")


def _parts(operation: str, request: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    match operation:
        case "TransactWriteItems":
            for part in request["TransactItems"]:
                yield from part.items()
        case "TransactGetItems":
            yield from (("Get", part["Get"]) for part in request["TransactItems"])
        case "BatchWriteItem":
            for requests in request["RequestItems"].values():
                for part in requests:
                    for kind, one in part.items():
                        yield kind.removesuffix("Request"), one
        case "BatchGetItem":
            for asked in request["RequestItems"].values():
                yield from (("Get", key) for key in asked["Keys"])
        case "GetItem":
            yield "Get", request
        case "PutItem" | "UpdateItem" | "DeleteItem":
            yield operation.removesuffix("Item"), request

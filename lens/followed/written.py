"""The items that a request wrote, as its own calls say."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from lens.requests.kinds import kind_of
from socialsite.table.keys import Key
from socialsite.table.meter import Call
from socialsite.table.reading import RawItem, key_of

# `#0 = :0` sets what is known; `#0 = #0 + :0` does not.
SETS = re.compile(r"(#\w+) = (:\w+)(?= *(?:,|$|ADD|REMOVE|DELETE))")


@dataclass(frozen=True, slots=True)
class Written:
    """An item that the request put, changed or deleted. `values` are texts and numbers that it then has."""

    kind: str
    key: Key
    type: str
    values: Mapping[str, str]


def written_by(calls: Sequence[Call]) -> list[Written]:
    """Returns the items in the order of the writes. A write that was refused wrote none, and a condition alone writes
    nothing."""
    return [
        _written(kind, one)
        for call in calls
        if not call.is_read and "Error" not in (call.answer or {})
        for kind, one in _actions(call.operation, orjson.loads(call.asked))
        if kind in ("Put", "Update", "Delete")
    ]


def _actions(operation: str, request: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if operation == "TransactWriteItems":
        for entry in request["TransactItems"]:
            yield from entry.items()
    elif operation == "BatchWriteItem":
        for requests in request["RequestItems"].values():
            for entry in requests:
                yield from ((kind.removesuffix("Request"), one) for kind, one in entry.items())
    else:
        yield operation.removesuffix("Item"), request


def _written(kind: str, one: Mapping[str, Any]) -> Written:
    item: RawItem = one.get("Item") or {}
    key = key_of(item or one["Key"])
    values = texts_of(item) if kind == "Put" else _set_by(one)
    return Written(kind, key, values.get("type") or kind_of(*key), values)


def _set_by(update: Mapping[str, Any]) -> dict[str, str]:
    names = update.get("ExpressionAttributeNames", {})
    values = update.get("ExpressionAttributeValues", {})
    pairs = SETS.findall(update.get("UpdateExpression", ""))
    return texts_of({names[name]: values[value] for name, value in pairs})


def texts_of(item: RawItem) -> dict[str, str]:
    """Returns an item's texts and numbers: what the same item has alike in a request and in the stream."""
    return {
        name: str(text)
        for name, value in item.items()
        for kind, text in value.items()
        if kind in ("S", "N")
    }

"""Reading the table: one item, many, a partition; as they are stored (`RawItem`) or typed (`row`)."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from pynamodb.expressions.condition import Condition

from socialsite.keys.key import Key
from socialsite.table.connection import client, table_name
from socialsite.table.errors import NotFound, Unavailable, translated
from socialsite.table.item import Item
from socialsite.table.resilience import pieces, seconds_left
from socialsite.table.transport.requests import ask, index_request, query_request, together, wire

# Reads the table: get one item, fetch many by key, query a partition. `paging.py` makes pages of lists.
#
# Most answers are raw items (`{"content": {"S": "…"}}`), to be read as rows (`row`).

RawItem = dict[str, dict[str, Any]]
I = TypeVar("I", bound=Item)  # noqa: E741

BATCH_GET_LIMIT = 100  # keys a BatchGetItem takes
ASKED_TOGETHER = 16  # Queries, each on a connection of its own
DEADLINE = 2.0  # seconds that a read may spend on asking again for unprocessed keys
FIRST_PAUSE = 0.025
LONGEST_PAUSE = 0.4


def get(model: type[I], key: Key, *, consistent: bool = False) -> I:
    """Returns an item by its key, of exactly this type. Raises `NotFound`, also for an expired item.

    One GetItem: 0.5 read units up to 4 KB, 1 if consistent.
    """
    request = {
        "TableName": table_name(),
        "Key": wire(key),
        "ConsistentRead": consistent,
        "ReturnConsumedCapacity": "TOTAL",
    }
    raw = ask("GetItem", request).get("Item")
    if raw is None or is_expired(raw):
        raise NotFound(f"no {model.__name__} at {key}")
    return as_model(model, raw)


def as_model(model: type[I], raw: RawItem) -> I:
    """Returns the raw item as an instance of its model. Raises `NotFound` if it has another type."""
    item = Item.from_raw_data(raw)
    if not isinstance(item, model):
        raise NotFound(f"{type(item).__name__} where {model.__name__} was expected")
    return item


def fetch(keys: Iterable[Key], *, consistent: bool = False) -> dict[Key, RawItem]:
    """Returns raw items by key, in the order of the keys, without missing or expired items.

    One BatchGetItem per 100 distinct keys; 0.5 read units a key up to 4 KB, found or not. Unprocessed keys are asked
    for again with growing pauses. Raises `Unavailable` when they stay so for 2 seconds or the page has no time left.
    """
    wanted = list(dict.fromkeys(keys))
    found: dict[Key, RawItem] = {}
    for some in pieces(wanted, BATCH_GET_LIMIT):
        for raw in _batch_get(some, consistent):
            if not is_expired(raw):
                found[key_of(raw)] = raw
    return {key: found[key] for key in wanted if key in found}


def query(
    partition: str,
    *,
    after: Key | None = None,
    between: tuple[str, str] | None = None,
    forward: bool = True,
    limit: int | None = None,
    consistent: bool = False,
    with_expired: bool = False,
    having: Condition | None = None,
) -> Iterator[RawItem]:
    """Yields a partition's live raw items, with one Query for each page of `limit` items, as far as the caller reads.
    `with_expired` is for erasures, which delete what TTL would delete later. `having` leaves items out after they were
    read and paid for, so it saves time, not units."""
    request = query_request(
        partition,
        after=after,
        between=between,
        forward=forward,
        limit=limit,
        consistent=consistent,
        having=having,
    )
    yield from _rows(request, ask("Query", request), with_expired)


def query_all(requests: Sequence[dict[str, Any]]) -> list[Iterator[RawItem]]:
    """Returns the live raw items of several Queries, as `query` yields them. The first pages of up to 16 are asked
    together, in the time of the slowest one (`transport/requests.py`)."""
    answers = _answers(requests)
    return [_rows(request, answer) for request, answer in zip(requests, answers, strict=True)]


def _rows(
    request: dict[str, Any], answer: dict[str, Any], with_expired: bool = False
) -> Iterator[RawItem]:
    """Yields the items of the first answer, and of further pages as far as the caller reads."""
    while True:
        for raw in answer["Items"]:
            if with_expired or not is_expired(raw):
                yield raw
        if "LastEvaluatedKey" not in answer:
            return
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]
        answer = ask("Query", request)


def query_index(
    index: str,
    partition: str,
    *,
    before: str | None = None,
    after: str | None = None,
    between: tuple[str, str] | None = None,
    forward: bool = False,
    limit: int,
) -> list[RawItem]:
    """Returns the newest `limit` live raw items of a sparse index's partition. They can be limited to those before or
    after a sort key, or between two. `forward` begins with the oldest.

    One Query, 0.5 read units per 4 KB; eventually consistent, as every index is.
    """
    request = index_request(
        index,
        partition,
        before=before,
        after=after,
        between=between,
        forward=forward,
        limit=limit,
    )
    return _live(ask("Query", request))


def query_index_all(requests: Sequence[dict[str, Any]]) -> list[list[RawItem]]:
    """Returns the live raw items of several Queries of sparse indexes, as `query_index` does, asked together."""
    return [_live(answer) for answer in _answers(requests)]


def _live(answer: dict[str, Any]) -> list[RawItem]:
    return [raw for raw in answer["Items"] if not is_expired(raw)]


def _answers(requests: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    answers: list[dict[str, Any]] = []
    for start in range(0, len(requests), ASKED_TOGETHER):
        few = requests[start : start + ASKED_TOGETHER]
        answers += together(*(("Query", request) for request in few))
    return answers


def text(raw: RawItem, attribute: Attribute[str]) -> str:
    """A string of a raw item, empty if it has none: for code to which an attribute is given. Others use `row`."""
    value = raw.get(attribute.attr_name)
    return value.get("S", "") if value else ""


def key_of(raw: RawItem) -> Key:
    return Key(raw["PK"]["S"], raw["SK"]["S"])


def is_expired(raw: RawItem) -> bool:
    """Whether the item is past its `ttl`. DynamoDB may delete it only days later, so every read checks this."""
    ttl = raw.get("ttl")
    try:
        return ttl is not None and "N" in ttl and float(ttl["N"]) <= time.time()
    except ValueError:
        return False


def pauses(deadline: float) -> Iterator[float]:
    """Sleeps a growing, jittered pause at each step until the deadline has passed, then ends."""
    until = time.monotonic() + deadline
    pause = FIRST_PAUSE
    while True:
        yield pause
        if time.monotonic() > until:
            return
        time.sleep(random.uniform(pause / 2, pause))
        pause = min(pause * 2, LONGEST_PAUSE)


def _batch_get(keys: Sequence[Key], consistent: bool) -> Iterator[RawItem]:
    asked: Any = {"Keys": [wire(key) for key in keys], "ConsistentRead": consistent}
    for _ in pauses(seconds_left(DEADLINE)):
        request = {"RequestItems": {table_name(): asked}, "ReturnConsumedCapacity": "TOTAL"}
        answer = ask("BatchGetItem", request)
        yield from answer["Responses"].get(table_name(), ())
        asked = answer.get("UnprocessedKeys", {}).get(table_name())
        if not asked:
            return
    raise Unavailable("keys stayed unprocessed")


def scan() -> Iterator[RawItem]:
    """Yields every item of the table, expired ones too. Only for `audit` and exports, never for a page or the
    worker."""
    last = None
    while True:
        items, last = scan_page(after=last)
        yield from items
        if last is None:
            return


def scan_page(
    *, after: Key | None = None, limit: int | None = None
) -> tuple[list[RawItem], Key | None]:
    """Returns the next items of the whole table, expired ones too, and the key after which the rest follows, None at
    the end.

    One Scan, consistent, of 1 MB or `limit` items. Only for `scan`, and for the worker after records were lost.
    """
    request: dict[str, Any] = {
        "TableName": table_name(),
        "ConsistentRead": True,
        "ReturnConsumedCapacity": "TOTAL",
    }
    if limit:
        request["Limit"] = limit
    if after:
        request["ExclusiveStartKey"] = wire(after)
    with translated():
        answer = client().scan(**request)
    last = answer.get("LastEvaluatedKey")
    return answer["Items"], key_of(last) if last else None


# A raw item under the names of its model: `row(Post, raw).content`.
#
# Hot pages read raw items (`{"content": {"S": "…"}}`) and build cards of them: turning each into a model costs
# more than fetching it. A row reads an attribute when it is asked for, by the model's own declaration, so that
# the models stay the one definition of every item; mypy takes it for the model. It has the attributes alone,
# and is for reading.
#
# What an item does not have is `""` of a string, 0 of a number, `()` of a set, `False` of a boolean, else
# `None`. Numbers are whole, and a set is a sorted tuple.

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


def item_size(raw: RawItem) -> int:
    """Returns the bytes of an item as DynamoDB counts them: names and values, in UTF-8. Of numbers it counts the
    digits, which is a little more."""
    return sum(len(name.encode()) + _size_of(value) for name, value in raw.items())


def _size_of(value: dict[str, Any]) -> int:
    ((kind, content),) = value.items()
    match kind:
        case "M":
            return 3 + sum(1 + len(name.encode()) + _size_of(one) for name, one in content.items())
        case "L":
            return 3 + sum(1 + _size_of(one) for one in content)
        case "SS" | "NS" | "BS":
            return sum(map(_length, content))
        case "NULL" | "BOOL":
            return 1
        case _:
            return _length(content)


def _length(content: str | bytes) -> int:
    return len(content if isinstance(content, bytes) else content.encode())

"""The calls that go without botocore: each as the bytes that botocore would send, and who is asked."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from pynamodb.expressions.condition import Condition

from socialsite.keys.key import Key
from socialsite.table.connection import client, table_name
from socialsite.table.errors import translated
from socialsite.table.item import INDEXES
from socialsite.table.resilience import tried_before
from socialsite.table.transport.client import Call, OwnWay, way_of
from socialsite.table.transport.http_client import GivenUp


def wire(key: Key) -> dict[str, dict[str, str]]:
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}}


def query_request(
    partition: str,
    *,
    after: Key | None = None,
    between: tuple[str, str] | None = None,
    forward: bool = True,
    limit: int | None = None,
    consistent: bool = False,
    having: Condition | None = None,
) -> dict[str, Any]:
    """Returns the request of a Query of a partition's items, as `reading.query` explains them."""
    request: dict[str, Any] = {
        "TableName": table_name(),
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": {"S": partition}},
        "ScanIndexForward": forward,
        "ConsistentRead": consistent,
        "ReturnConsumedCapacity": "TOTAL",
    }
    if between:
        _bound(request, "SK", between)
    if having is not None:
        names: dict[str, str] = {}
        values = request["ExpressionAttributeValues"]
        request["FilterExpression"] = having.serialize(names, values)
        request["ExpressionAttributeNames"] = {short: name for name, short in names.items()}
    if limit:
        request["Limit"] = limit
    if after:
        request["ExclusiveStartKey"] = wire(after)
    return request


def index_request(
    index: str,
    partition: str,
    *,
    before: str | None = None,
    after: str | None = None,
    between: tuple[str, str] | None = None,
    forward: bool = False,
    limit: int,
) -> dict[str, Any]:
    """Returns the request of a Query of a sparse index's partition, as `reading.query_index` explains them."""
    partition_key, sort_key = INDEXES[index]
    request: dict[str, Any] = {
        "TableName": table_name(),
        "IndexName": index,
        "KeyConditionExpression": "#pk = :pk",
        "ExpressionAttributeNames": {"#pk": partition_key},
        "ExpressionAttributeValues": {":pk": {"S": partition}},
        "ScanIndexForward": forward,
        "Limit": limit,
        "ReturnConsumedCapacity": "TOTAL",
    }
    for compared, place in (("<", before), (">", after)):
        if place:
            request["KeyConditionExpression"] += f" AND #sk {compared} :place"
            request["ExpressionAttributeNames"]["#sk"] = sort_key
            request["ExpressionAttributeValues"][":place"] = {"S": place}
    if between:
        request["ExpressionAttributeNames"]["#sk"] = sort_key
        _bound(request, "#sk", between)
    return request


def _bound(request: dict[str, Any], sort_key: str, between: tuple[str, str]) -> None:
    low, high = between
    request["KeyConditionExpression"] += f" AND {sort_key} BETWEEN :low AND :high"
    request["ExpressionAttributeValues"] |= {":low": {"S": low}, ":high": {"S": high}}


# Asks DynamoDB: the one way of all that pages and the worker ask, which may be repeated without harm. A transaction has
# its token, and a conditional write knows its own item again.
#
# The site's own way goes first (`client.py`), where it may be used. Otherwise, and for what it gives up,
# botocore asks.

Asked = tuple[str, dict[str, Any]]  # an operation and its request
Begun = tuple[str, dict[str, Any], OwnWay | None, Call | None]  # the same, and what was sent

METHODS = {  # botocore's names
    "GetItem": "get_item",
    "Query": "query",
    "BatchGetItem": "batch_get_item",
    "BatchWriteItem": "batch_write_item",
    "PutItem": "put_item",
    "UpdateItem": "update_item",
    "TransactWriteItems": "transact_write_items",
}


def ask(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    """Returns DynamoDB's answer to one call. Raises a `TableError`."""
    with translated():
        return ask_as_botocore(operation, request)


def ask_as_botocore(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    """As `ask`, but raises what botocore raises."""
    return _answer(_begin(operation, request))


def together(*asked: Asked) -> list[dict[str, Any]]:
    """Returns the answers to several calls, in their order. Raises a `TableError` if one of them fails.

    All requests are sent before the first answer is read, each on a connection of its own, so that the calls take the
    time of the slowest one. Where botocore asks, it asks one after the other.
    """
    return list(in_turn(asked, at_once=len(asked)))


def in_turn(asked: Iterable[Asked], *, at_once: int) -> Iterator[dict[str, Any]]:
    """Yields the answers to calls, in their order. Raises a `TableError` at the first that fails.

    Keeps `at_once` calls under way, each on a connection of its own: while the engine works on one, the next is made
    and sent. Where botocore asks, it asks one after the other.
    """
    under_way: deque[Begun] = deque()
    with translated():
        try:
            for operation, request in asked:
                under_way.append(begun := _begin(operation, request))
                # What was not sent is asked before the next one is made, as a fence was passed for it now.
                while len(under_way) >= (at_once if _is_sent(begun) else 1):
                    yield _answer(under_way[0])
                    under_way.popleft()
            while under_way:
                yield _answer(under_way[0])
                under_way.popleft()
        finally:
            for *_, own, call in under_way:
                if own and call:
                    own.drop(call)


def _begin(operation: str, request: dict[str, Any]) -> Begun:
    own = way_of(client(), operation)
    return operation, request, own, own.begin(operation, request) if own else None


def _is_sent(begun: Begun) -> bool:
    *_, call = begun
    return call is not None and call.line is not None


def _answer(begun: Begun) -> dict[str, Any]:
    operation, request, own, call = begun
    if own is None or call is None:
        return _ask_botocore(operation, request)
    try:
        return own.finish(call)
    except GivenUp as given_up:
        tries = 1 if given_up.was_tried else 0
    with tried_before(tries):
        return _ask_botocore(operation, request)


def _ask_botocore(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = getattr(client(), METHODS[operation])(**request)
    return answer

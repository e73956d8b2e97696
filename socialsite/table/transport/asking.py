"""Asks DynamoDB: the one way of GetItem, Query, BatchGetItem and BatchWriteItem, which may be repeated without harm.

The site's own way goes first (`own.py`), where it may be used (`standing.py`). Otherwise, and for what it gives up,
botocore asks.
"""

from typing import Any

from socialsite.table.connection import client
from socialsite.table.errors import translated
from socialsite.table.resilience.retries import tried_before
from socialsite.table.transport.own import Call, OwnWay
from socialsite.table.transport.reader import GivenUp
from socialsite.table.transport.standing import way_of

Asked = tuple[str, dict[str, Any]]  # an operation and its request

METHODS = {  # botocore's names
    "GetItem": "get_item",
    "Query": "query",
    "BatchGetItem": "batch_get_item",
    "BatchWriteItem": "batch_write_item",
}


def ask(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    """Returns DynamoDB's answer to one call. Raises a `TableError`."""
    with translated():
        own = way_of(client(), operation)
        if own is None:
            return _ask_botocore(operation, request)
        return _finish(own, own.begin(operation, request), request)


def together(*asked: Asked) -> list[dict[str, Any]]:
    """Returns the answers to several calls, in their order. Raises a `TableError` if one of them fails.

    All requests are sent before the first answer is read, each on a connection of its own, so that the calls take the
    time of the slowest one. Where botocore asks, it asks one after the other.
    """
    begun: list[tuple[OwnWay, Call] | None] = []
    with translated():
        try:
            for operation, request in asked:
                own = way_of(client(), operation)
                begun.append((own, own.begin(operation, request)) if own else None)
            return [
                _finish(*one, request) if one else _ask_botocore(operation, request)
                for one, (operation, request) in zip(begun, asked, strict=True)
            ]
        finally:
            for one in begun:
                if one:
                    one[0].drop(one[1])


def _finish(own: OwnWay, call: Call, request: dict[str, Any]) -> dict[str, Any]:
    try:
        return own.finish(call)
    except GivenUp as given_up:
        tries = 1 if given_up.was_tried else 0
    with tried_before(tries):
        return _ask_botocore(call.operation, request)


def _ask_botocore(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = getattr(client(), METHODS[operation])(**request)
    return answer

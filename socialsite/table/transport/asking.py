"""Asks DynamoDB: the one way of GetItem, Query, BatchGetItem and BatchWriteItem, which may be repeated without harm."""

from typing import Any

from socialsite.table.connection import client
from socialsite.table.errors import translated

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
        answer: dict[str, Any] = getattr(client(), METHODS[operation])(**request)
        return answer


def together(*asked: Asked) -> list[dict[str, Any]]:
    """Returns the answers to several calls, in their order. Raises a `TableError` if one of them fails."""
    return [ask(operation, request) for operation, request in asked]

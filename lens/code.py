"""A request as the commands that make it: to copy into a terminal, or into Python."""

import json
import shlex
from collections.abc import Mapping
from typing import Any

COMMANDS = {
    "GetItem": "get-item",
    "Query": "query",
    "BatchGetItem": "batch-get-item",
    "TransactWriteItems": "transact-write-items",
    "BatchWriteItem": "batch-write-item",
    "PutItem": "put-item",
    "UpdateItem": "update-item",
    "DeleteItem": "delete-item",
}


def as_cli(operation: str, request: Mapping[str, Any]) -> str:
    """Returns the call of the AWS CLI."""
    command = COMMANDS.get(operation, operation.lower())
    return f"aws dynamodb {command} --cli-input-json {shlex.quote(json.dumps(request, ensure_ascii=False))}"


def as_pynamodb(operation: str, request: Mapping[str, Any]) -> str:
    """Returns the call of PynamoDB for a read, empty for what it says otherwise."""
    if operation == "GetItem":
        partition, sort = (request["Key"][name]["S"] for name in ("PK", "SK"))
        return f"Item.get({partition!r}, {sort!r})"
    if operation == "BatchGetItem":
        (asked,) = request["RequestItems"].values()
        keys = [(key["PK"]["S"], key["SK"]["S"]) for key in asked["Keys"]]
        return f"list(Item.batch_get({keys!r}))"
    if operation == "Query" and "IndexName" not in request:
        return f"list(Item.query({', '.join(_query_arguments(request))}))"
    return ""


def _query_arguments(request: Mapping[str, Any]) -> list[str]:
    values = {
        name: next(iter(value.values()))
        for name, value in request["ExpressionAttributeValues"].items()
    }
    arguments = [repr(values[":pk"])]
    if ":low" in values:
        arguments.append(f"Item.sk.between({values[':low']!r}, {values[':high']!r})")
    if "Limit" in request:
        arguments.append(f"limit={request['Limit']}")
    if not request.get("ScanIndexForward", True):
        arguments.append("scan_index_forward=False")
    if request.get("ConsistentRead"):
        arguments.append("consistent_read=True")
    return arguments

"""A request as the commands that make it: to copy into a terminal, or into Python."""

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from socialsite.table.item import escalated_index_name, type_index_name

COMMANDS = {
    "GetItem": "get-item",
    "Query": "query",
    "BatchGetItem": "batch-get-item",
    "TransactGetItems": "transact-get-items",
    "TransactWriteItems": "transact-write-items",
    "BatchWriteItem": "batch-write-item",
    "PutItem": "put-item",
    "UpdateItem": "update-item",
    "DeleteItem": "delete-item",
}
QUERIES = {
    type_index_name: "Item.type_index.query",
    escalated_index_name: "Item.escalated_index.query",
}
# What a call of PynamoDB can be written from; a request with more is not written, rather than written wrong.
OF_QUERY = {
    *("TableName", "IndexName", "KeyConditionExpression", "ExpressionAttributeNames"),
    *("ExpressionAttributeValues", "ScanIndexForward", "ConsistentRead", "Limit"),
    *("ExclusiveStartKey", "ReturnConsumedCapacity"),
}
CONDITIONS = {  # of sort keys, as the table's code writes them
    "": "",
    "SK BETWEEN :low AND :high": "Item.sk.between({low}, {high})",
    "#sk BETWEEN :low AND :high": "{sk}.between({low}, {high})",
    "#sk < :place": "{sk} < {place}",
    "#sk > :place": "{sk} > {place}",
}
ATTRIBUTES = {"update_time": "Item.update_time", "escalated_at": "Item.escalated_at"}


def as_cli(operation: str, request: Mapping[str, Any]) -> str:
    """Returns the call of the AWS CLI."""
    command = COMMANDS.get(operation, operation.lower())
    asked = json.dumps(request, ensure_ascii=False)
    return f"aws dynamodb {command} --cli-input-json {shlex.quote(asked)}"


def as_pynamodb(operation: str, request: Mapping[str, Any]) -> str:
    """Returns the call of PynamoDB for a read, empty for a request that it cannot say."""
    match operation:
        case "GetItem":
            consistent = ", consistent_read=True" if request.get("ConsistentRead") else ""
            return f"Item.get({_key(request['Key'])}{consistent})"
        case "BatchGetItem":
            (asked,) = request["RequestItems"].values()
            keys = ", ".join(f"({_key(key)})" for key in asked["Keys"])
            consistent = ", consistent_read=True" if asked.get("ConsistentRead") else ""
            return f"list(Item.batch_get([{keys}]{consistent}))"
        case "Query":
            return _query(request)
        case _:
            return ""


def _query(request: Mapping[str, Any]) -> str:
    _, _, condition = request["KeyConditionExpression"].partition(" AND ")
    if set(request) - OF_QUERY or condition not in CONDITIONS:
        return ""
    query = QUERIES.get(request.get("IndexName", ""), "Item.query")
    return f"list({query}({', '.join(_query_arguments(request, CONDITIONS[condition]))}))"


def _query_arguments(request: Mapping[str, Any], condition: str) -> Iterator[str]:
    values = {
        name.removeprefix(":"): repr(next(iter(value.values())))
        for name, value in request["ExpressionAttributeValues"].items()
    }
    names = request.get("ExpressionAttributeNames", {})
    yield values["pk"]
    if condition:
        yield condition.format(sk=ATTRIBUTES.get(names.get("#sk", ""), ""), **values)
    if "Limit" in request:
        yield f"limit={request['Limit']}"
    if not request.get("ScanIndexForward", True):
        yield "scan_index_forward=False"
    if request.get("ConsistentRead"):
        yield "consistent_read=True"
    if "ExclusiveStartKey" in request:
        yield f"last_evaluated_key={request['ExclusiveStartKey']!r}"


def _key(key: Mapping[str, Any]) -> str:
    return f"{key['PK']['S']!r}, {key['SK']['S']!r}"

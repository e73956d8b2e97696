"""What DynamoDB is asked: keys and Queries in its own form."""

from typing import Any

from pynamodb.expressions.condition import Condition

from socialsite.table.connection import table_name
from socialsite.table.item import INDEXES
from socialsite.table.keys import Key


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

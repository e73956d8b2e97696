"""What is asked in the site's own way is answered as botocore would be: each kind of request, values and errors."""

import time
import uuid
from contextlib import suppress
from typing import Any

import pytest
from botocore.exceptions import ClientError

from socialsite.table import Refused, Unavailable, meter, type_index_name, write_batch
from socialsite.table.connection import client, table_name
from socialsite.table.errors import ConditionFailed
from socialsite.table.resilience import paced
from socialsite.table.transport.client import way_of
from socialsite.table.transport.requests import METHODS, ask

PARTITION = "p#transport"
VALUES: dict[str, dict[str, Any]] = {
    "string": {"S": '“é” 陈 \U0001f600 \u2028 \x00 \\ "B":"x"'},
    "empty": {"S": ""},
    "number": {"N": "-12345678901234567890.12345678901234567"},
    "binary": {"B": bytes(range(256))},
    "nothing": {"NULL": True},
    "truth": {"BOOL": False},
    "strings": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2.5"]},
    "list": {"L": [{"S": "x"}, {"L": []}, {"B": b"\xfe"}]},
    "map": {"M": {"B": {"S": "a name"}, "inner": {"M": {"N": {"N": "1"}}}}},
}


def key(number: int) -> dict[str, dict[str, str]]:
    return {"PK": {"S": PARTITION}, "SK": {"S": f"{number:04}"}}


@pytest.fixture(autouse=True)
def items(table: str, engine: str) -> None:
    """Ten items: one of each kind of value, one of 390 KB, one that has expired, and others with a target."""
    raws: list[dict[str, Any]] = [
        {
            **key(number),
            "type": {"S": "Like"},
            "relation_target": {"S": "someone"},
            "update_time": {"S": f"2026-01-{number + 1:02}"},
        }
        for number in range(7)
    ]
    raws += [
        {**key(7), **VALUES},
        {**key(8), "content": {"S": "陈" * 130_000}},
        {**key(9), "ttl": {"N": str(int(time.time()) - 99)}},
    ]
    with paced(lambda most: 3):
        write_batch(puts=raws)
    if engine != "moto":  # which answers inside botocore
        assert all(way_of(client(), operation) for operation in METHODS)


def table_in(request: dict[str, Any]) -> dict[str, Any]:
    """The request for the table of this test."""
    if "RequestItems" in request:
        return {**request, "RequestItems": {table_name(): request["RequestItems"]["table"]}}
    return {"TableName": table_name(), **request}


OF_PARTITION = {
    "KeyConditionExpression": "PK = :pk",
    "ExpressionAttributeValues": {":pk": {"S": PARTITION}},
    "ReturnConsumedCapacity": "TOTAL",
}
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "an item": ("GetItem", {"Key": key(0), "ReturnConsumedCapacity": "TOTAL"}),
    "consistently": ("GetItem", {"Key": key(0), "ConsistentRead": True}),
    "each kind of value": ("GetItem", {"Key": key(7)}),
    "a large item": ("GetItem", {"Key": key(8)}),
    "an expired item": ("GetItem", {"Key": key(9)}),
    "no item": ("GetItem", {"Key": key(99), "ReturnConsumedCapacity": "TOTAL"}),
    "a partition": ("Query", OF_PARTITION),
    "backwards": ("Query", OF_PARTITION | {"ScanIndexForward": False}),
    "a page": ("Query", OF_PARTITION | {"Limit": 3}),
    "the next page": ("Query", OF_PARTITION | {"Limit": 3, "ExclusiveStartKey": key(2)}),
    "no items": (
        "Query",
        OF_PARTITION | {"ExpressionAttributeValues": {":pk": {"S": "p#none"}}},
    ),
    "with a filter": (
        "Query",
        {
            "KeyConditionExpression": "PK = :pk",
            "FilterExpression": "#t = :t",
            "ExpressionAttributeNames": {"#t": "type"},
            "ExpressionAttributeValues": {":pk": {"S": PARTITION}, ":t": {"S": "Like"}},
        },
    ),
    "by bytes": (
        "Query",
        {
            "KeyConditionExpression": "PK = :pk",
            "FilterExpression": "#b = :b",
            "ExpressionAttributeNames": {"#b": "binary"},
            "ExpressionAttributeValues": {":pk": {"S": PARTITION}, ":b": {"B": bytes(range(256))}},
        },
    ),
    "an index": (
        "Query",
        {
            "IndexName": type_index_name,
            "KeyConditionExpression": "#pk = :pk",
            "ExpressionAttributeNames": {"#pk": "relation_target"},
            "ExpressionAttributeValues": {":pk": {"S": "someone"}},
        },
    ),
    "a batch": (
        "BatchGetItem",
        {
            "RequestItems": {"table": {"Keys": [key(number) for number in range(20)]}},
            "ReturnConsumedCapacity": "TOTAL",
        },
    ),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_an_answer_is_botocores(asked, given_up):
    operation, request = asked[0], table_in(asked[1])
    own = without_metadata(ask(operation, request))
    assert own == without_metadata(getattr(client(), METHODS[operation])(**request))
    assert given_up() == {}


def test_values_come_as_they_were_written():
    item = ask("GetItem", table_in({"Key": key(7)}))["Item"]
    written = {name: _sorted(item[name]) for name in VALUES}
    assert written == {name: _sorted(value) for name, value in VALUES.items()}


def test_a_batch_write_puts_and_deletes(given_up):
    requests = [
        {"PutRequest": {"Item": {**key(20), **VALUES}}},
        {"DeleteRequest": {"Key": key(0)}},
    ]
    answer = ask("BatchWriteItem", {"RequestItems": {table_name(): requests}})
    assert not answer.get("UnprocessedItems")
    assert "Item" in ask("GetItem", table_in({"Key": key(20), "ConsistentRead": True}))
    assert "Item" not in ask("GetItem", table_in({"Key": key(0), "ConsistentRead": True}))
    assert given_up() == {}


PLACE = key(7)
UNLESS_THERE = {
    "ConditionExpression": "attribute_not_exists(PK)",
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
}
UPDATE = {
    "UpdateExpression": "SET #b = :b",
    "ExpressionAttributeNames": {"#b": "binary"},
    "ExpressionAttributeValues": {":b": {"B": b"\xfe\xff"}},
}
WRITES: dict[str, tuple[str, dict[str, Any]]] = {
    "PutItem": ("Put", {"Item": {**PLACE, **VALUES}}),
    "UpdateItem": ("Update", {"Key": PLACE, **UPDATE}),
}


def write_of(operation: str, more: dict[str, Any], *, is_one_of_many: bool) -> Any:
    """Operation and request of one write, alone or among others that go well."""
    action, request = WRITES[operation]
    alone = table_in({**request, **more})
    if not is_one_of_many:
        return operation, {**alone, "ReturnConsumedCapacity": "TOTAL"}
    other = {"Put": table_in({"Item": key(30)})}
    items = {"TransactItems": [other, {action: alone}], "ClientRequestToken": str(uuid.uuid4())}
    return "TransactWriteItems", {**items, "ReturnConsumedCapacity": "TOTAL"}


@pytest.mark.parametrize("is_one_of_many", [False, True])
@pytest.mark.parametrize("operation", WRITES)
def test_a_write_is_answered_as_by_botocore_and_is_there(
    operation, is_one_of_many, given_up, engine
):
    asked, request = write_of(operation, {}, is_one_of_many=is_one_of_many)
    own = without_metadata(ask(asked, request))
    found = ask("GetItem", table_in({"Key": PLACE, "ConsistentRead": True}))["Item"]
    held = WRITES[operation][1].get("Item", {}).get("binary", {"B": b"\xfe\xff"})
    assert found["binary"] == held
    if not is_one_of_many:  # a transaction is told at its second time that it was read
        assert own == without_metadata(getattr(client(), METHODS[asked])(**request))
    if engine != "moto":  # which tells no units of a transaction
        assert sum_of(own["ConsumedCapacity"]) > 0
    assert given_up() == {}


def sum_of(capacity: Any) -> float:
    parts = capacity if isinstance(capacity, list) else [capacity]
    return sum(part["CapacityUnits"] for part in parts)


@pytest.mark.parametrize("is_one_of_many", [False, True])
@pytest.mark.parametrize("operation", WRITES)
def test_a_condition_that_does_not_hold_is_botocores_error(operation, is_one_of_many, given_up):
    asked, request = write_of(operation, UNLESS_THERE, is_one_of_many=is_one_of_many)
    with meter.measure() as measured:
        with pytest.raises(ClientError) as botocores:
            getattr(client(), METHODS[asked])(**request)
        with pytest.raises((ConditionFailed, Refused)) as own:
            ask(asked, request)
    cause = own.value.__cause__
    assert type(cause) is type(botocores.value)
    assert str(cause) == str(botocores.value)
    assert without_metadata(cause.response) == without_metadata(botocores.value.response)
    reasons = cause.response.get("CancellationReasons", [cause.response])
    assert reasons[-1]["Item"]["binary"] == VALUES["binary"]
    first, second = measured.calls
    assert (first.operation, first.units) == (second.operation, second.units)
    assert given_up() == {}


REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "no such key": ("GetItem", {"Key": {"PK": {"S": "x"}}}),
    "no such index": ("Query", OF_PARTITION | {"IndexName": "none"}),
    "a strange condition": ("Query", OF_PARTITION | {"KeyConditionExpression": "PK > :pk"}),
    "no such table": ("GetItem", {"TableName": "none-such", "Key": key(0)}),
    "a put without a key": ("PutItem", {"Item": {"PK": {"S": "x"}}}),
    "an update of a key": ("UpdateItem", {"Key": key(0), "UpdateExpression": "REMOVE SK"}),
}


@pytest.mark.parametrize("asked", REFUSED.values(), ids=REFUSED)
def test_a_refusal_is_botocores(asked):
    operation, request = asked[0], table_in(asked[1])
    with pytest.raises(ClientError) as botocores:
        getattr(client(), METHODS[operation])(**request)
    with pytest.raises((Refused, Unavailable)) as own:
        ask(operation, request)
    cause = own.value.__cause__
    assert isinstance(cause, ClientError)
    assert cause.response["Error"] == botocores.value.response["Error"]


def test_half_a_character_is_left_to_botocore(given_up, engine):
    request = table_in({"Key": {"PK": {"S": PARTITION}, "SK": {"S": "\ud83d"}}})
    with suppress(Refused, Unavailable):  # as the engine likes
        ask("GetItem", request)
    assert given_up() == ({} if engine == "moto" else {"request": 1})


def test_the_meter_hears_the_same_of_both_ways():
    request = table_in(OF_PARTITION | {"Limit": 3})
    with meter.measure(keep=True) as measured:
        ask("Query", request)
        client().query(**request)
    own, botocores = measured.calls
    assert own.units == botocores.units > 0
    assert (own.operation, own.access_pattern) == (botocores.operation, botocores.access_pattern)
    assert b"".join(own.asked.split()) == b"".join(botocores.asked.split())
    assert without_metadata(own.answer) == without_metadata(botocores.answer)
    assert own.milliseconds > 0


def without_metadata(answer: Any) -> dict[str, Any]:
    kept = {name: value for name, value in answer.items() if name != "ResponseMetadata"}
    for found in kept.get("Responses", {}).values():
        found.sort(key=lambda raw: raw["SK"]["S"])  # engines answer in any order
    return kept


def _sorted(value: dict[str, Any]) -> dict[str, Any]:
    ((kind, held),) = value.items()
    return {kind: sorted(held) if kind in ("SS", "NS") else held}

"""The simulated engine answers as the embedded one does: the same calls, drawn by chance, are played on both."""

import random
from typing import Any

import pytest
from botocore.exceptions import ClientError

from socialsite.table.connection import client, table_name
from tests.injected.faults import IS_LONG, SEED
from tests.simulation.engine import Engine

pytestmark = pytest.mark.engines("embedded", reason="it is compared with this one")
CALLS = 20_000 if IS_LONG else 1_500
ITEM_KEYS = [("p1", "a"), ("p1", "b"), ("p1", "b#1"), ("p1", "c"), ("p2", "a"), ("p2", "z")]
CONDITIONS = (
    "attribute_exists(PK)",
    "attribute_not_exists(PK)",
    "attribute_not_exists(PK) OR #n <= :n",
    "(#n = :n AND attribute_exists(#s)) OR NOT contains(#s, :s)",
    "#n BETWEEN :n AND :m",
    "begins_with(#t, :t) AND size(#t) < :m",
    "contains(#s, :s)",
    "#n IN (:n, :m) OR #t <> :t",
    "#m.#t = :t",
)
UPDATES = (
    "SET #n = if_not_exists(#n, :n) + :m",
    "SET #t = :t REMOVE #s",
    "ADD #n :m, #s :set",
    "DELETE #s :set SET #n = :n",
    "SET #m = :map REMOVE #n",
    "SET #l = list_append(if_not_exists(#l, :list), :list)",
    "SET #n = :n - :m, relation_target = :t, update_time = :t",
)
NAMES = {"#n": "number", "#s": "set", "#t": "text", "#m": "map", "#l": "list"}


def drawn_values(chance: random.Random) -> dict[str, Any]:
    text = chance.choice(("a", "b", "ab", "ä", "z"))
    return {
        ":n": {"N": str(chance.randint(0, 3))},
        ":m": {"N": str(chance.choice((3, 4, 7)))},
        ":t": {"S": text},
        ":s": {"S": chance.choice("xyz")},
        ":set": {"SS": sorted(set(chance.choices("xyz", k=2)))},
        ":map": {"M": {"text": {"S": text}}},
        ":list": {"L": [{"N": "1"}]},
    }


def used(request: dict[str, Any]) -> dict[str, Any]:
    """The request with those names and values alone that its expressions name, as the engine insists."""
    text = " ".join(value for name, value in request.items() if name.endswith("Expression"))
    for kind in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
        kept = {name: value for name, value in request.get(kind, {}).items() if _names(text, name)}
        request.pop(kind, None)
        if kept:
            request[kind] = kept
    return request


def _names(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        after = text[at + len(name) : at + len(name) + 1]
        if not (after.isalnum() or after == "_"):
            return True
        at = text.find(name, at + 1)
    return False


def drawn_write(chance: random.Random) -> tuple[str, dict[str, Any]]:
    pk, sk = chance.choice(ITEM_KEYS)
    key = {"PK": {"S": pk}, "SK": {"S": sk}}
    values = drawn_values(chance)
    request: dict[str, Any] = {
        "ExpressionAttributeNames": dict(NAMES),
        "ExpressionAttributeValues": values,
    }
    if chance.random() < 0.6:
        request["ConditionExpression"] = chance.choice(CONDITIONS)
    kind = chance.choice(("Put", "Update", "Update", "Delete"))
    if kind == "Put":
        request["Item"] = key | {
            "number": values[":n"],
            "text": values[":t"],
            "set": values[":set"],
        }
        if chance.random() < 0.5:
            request["Item"] |= {"relation_target": {"S": "r"}, "update_time": values[":t"]}
    else:
        request["Key"] = key
        if kind == "Update":
            request["UpdateExpression"] = chance.choice(UPDATES)
    return kind, used(request)


def drawn_call(chance: random.Random) -> tuple[str, dict[str, Any]]:
    what = chance.random()
    if what < 0.45:
        kind, request = drawn_write(chance)
        return f"{kind}Item", request
    if what < 0.7:
        writes: dict[Any, Any] = {}
        for _ in range(chance.randint(1, 3)):
            kind, request = drawn_write(chance)
            place = request.get("Key") or {n: request["Item"][n] for n in ("PK", "SK")}
            writes[str(place)] = {kind: request}
        return "TransactWriteItems", {"TransactItems": list(writes.values())}
    if what < 0.85:
        partition = chance.choice(("p1", "p2"))
        request = {
            "KeyConditionExpression": "PK = :pk",
            "ExpressionAttributeValues": {":pk": {"S": partition}},
            "ScanIndexForward": chance.random() < 0.5,
            "ConsistentRead": True,
        }
        if chance.random() < 0.5:
            request["KeyConditionExpression"] += " AND SK BETWEEN :low AND :high"
            request["ExpressionAttributeValues"] |= {":low": {"S": "a"}, ":high": {"S": "b#"}}
        if chance.random() < 0.5:
            request["Limit"] = chance.randint(1, 3)
        if chance.random() < 0.3:
            request["ExclusiveStartKey"] = {"PK": {"S": partition}, "SK": {"S": "b"}}
        return "Query", request
    if what < 0.95:
        return "Query", {
            "IndexName": "typeIndex",
            "KeyConditionExpression": "relation_target = :r",
            "ExpressionAttributeValues": {":r": {"S": "r"}},
            "ScanIndexForward": chance.random() < 0.5,
        }
    keys = chance.sample(ITEM_KEYS, 3)
    asked = [{"PK": {"S": pk}, "SK": {"S": sk}} for pk, sk in keys]
    return "BatchGetItem", {"RequestItems": {"": {"Keys": asked, "ConsistentRead": True}}}


METHODS = {
    "PutItem": "put_item",
    "UpdateItem": "update_item",
    "DeleteItem": "delete_item",
    "TransactWriteItems": "transact_write_items",
    "Query": "query",
    "BatchGetItem": "batch_get_item",
}


def in_table(operation: str, request: dict[str, Any]) -> dict[str, Any]:
    """The request with the name of the table where it belongs."""
    name = {"TableName": table_name()}
    if operation == "TransactWriteItems":
        actions = [{k: v | name for k, v in one.items()} for one in request["TransactItems"]]
        return {"TransactItems": actions}
    if operation == "BatchGetItem":
        return {"RequestItems": {table_name(): request["RequestItems"][""]}}
    return request | name


def essence(answer: dict[str, Any]) -> Any:
    """What both engines must agree on."""
    items = [answer.get("Items"), answer.get("Item"), answer.get("LastEvaluatedKey")]
    found = answer.get("Responses", {})
    batch = [sorted(map(str, map(_plain, one))) for one in found.values()]
    return [
        _plain(items),
        batch,
        [one.get("Code") for one in answer.get("CancellationReasons", [])],
    ]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            name: sorted(one) if name == "SS" else _plain(one)
            for name, one in sorted(value.items())
        }
    return [_plain(one) for one in value] if isinstance(value, list) else value


def code_of(error: ClientError) -> str:
    return str(error.response["Error"]["Code"])


def test_both_engines_answer_alike(table):
    chance, simulated = random.Random(SEED), Engine(lambda: 0.0)
    described = client().describe_table(TableName=table_name())["Table"]
    simulated.create_table(described | {"TableName": table_name()})
    for number in range(CALLS):
        operation, drawn = drawn_call(chance)
        request = in_table(operation, drawn)
        try:
            real: Any = essence(getattr(client(), METHODS[operation])(**request))
        except ClientError as error:
            real = [code_of(error), essence(error.response)]
        status, body = simulated.answer(operation, request)
        mine: Any = essence(body)
        if status != 200:
            mine = [body["__type"].rpartition("#")[2], mine]
        assert mine == real, f"call {number} of FAULTS_SEED={SEED}: {operation} {request}"


def test_each_write_that_changes_something_makes_one_record():
    simulated = Engine(lambda: 0.0)
    simulated.create_table({"TableName": "t", "KeySchema": [], "AttributeDefinitions": []})
    item = {"PK": {"S": "p"}, "SK": {"S": "s"}, "n": {"N": "1"}}
    for _ in range(2):
        simulated.answer("PutItem", {"Item": item})
    simulated.answer("DeleteItem", {"Key": {"PK": item["PK"], "SK": item["SK"]}})
    (shard,) = simulated.shards.open
    assert [record["eventName"] for _, _, record in shard.records] == ["INSERT", "REMOVE"]

"""What is asked in the site's own way is answered as botocore would, given up to it, or asked together."""

import threading
import time
import uuid
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from accounts.models import UserCount
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Refused,
    Unavailable,
    connection,
    create,
    fetch,
    get,
    keys,
    meter,
    transact,
    type_index_name,
    write_as_made,
    write_batch,
)
from socialsite.table.connection import client, table_name
from socialsite.table.errors import ConditionFailed
from socialsite.table.resilience import paced
from socialsite.table.transport import client as transport
from socialsite.table.transport.client import way_of
from socialsite.table.transport.requests import METHODS, ask, in_turn, together, wire
from tests.injected.faults import Hook
from tests.table.transport.conftest import SECONDS

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


@pytest.fixture
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


@pytest.mark.usefixtures("items")
@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_an_answer_is_botocores(asked, given_up):
    operation, request = asked[0], table_in(asked[1])
    own = without_metadata(ask(operation, request))
    assert own == without_metadata(getattr(client(), METHODS[operation])(**request))
    assert given_up() == {}


@pytest.mark.usefixtures("items")
def test_values_come_as_they_were_written():
    item = ask("GetItem", table_in({"Key": key(7)}))["Item"]
    written = {name: _sorted(item[name]) for name in VALUES}
    assert written == {name: _sorted(value) for name, value in VALUES.items()}


@pytest.mark.usefixtures("items")
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


@pytest.mark.usefixtures("items")
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


@pytest.mark.usefixtures("items")
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


@pytest.mark.usefixtures("items")
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


@pytest.mark.usefixtures("items")
def test_half_a_character_is_left_to_botocore(given_up, engine):
    request = table_in({"Key": {"PK": {"S": PARTITION}, "SK": {"S": "\ud83d"}}})
    with suppress(Refused, Unavailable):  # as the engine likes
        ask("GetItem", request)
    assert given_up() == ({} if engine == "moto" else {"request": 1})


@pytest.mark.usefixtures("items")
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


# What the own way gives up is asked by botocore, once more and no oftener, and nobody notices but the metric.

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto answers inside botocore, so the own way stays shut"
)


@pytest.fixture
def a_count(front):
    create(UserCount.new(user_id="A"))
    front.asked.clear()


def read():
    return get(UserCount, keys.user_count("A"))


def answer_without_length(asking):
    asking.say_until_the_end(*asking.engines_answer())
    return True


def fail_inside(asking):
    asking.say(500, b'{"__type": "com.amazonaws.dynamodb.v20120810#InternalServerError"}')
    return True


def throttle(asking):
    asking.say(
        400,
        b'{"__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException"}',
    )
    return True


def hang(asking):
    time.sleep(SECONDS * 1.5)
    asking.close_connection = True
    return True


def hang_up(asking):
    asking.close_connection = True
    return True


def once(play):
    played = threading.Event()

    def play_once(asking):
        if played.is_set():
            return False
        played.set()
        return play(asking)

    return play_once


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_what_goes_well_is_asked_once(front, given_up):
    assert read().user_id == "A"
    assert (front.asked, given_up()) == (["GetItem"], {})


@not_on_moto
@pytest.mark.usefixtures("a_count")
@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (answer_without_length, "answer"),
        (fail_inside, "status"),
        (throttle, "status"),
        (hang, "timeout"),
        (hang_up, "broken"),
    ],
)
def test_what_is_given_up_once_is_asked_by_botocore_and_measured_once(
    front, given_up, play, reason
):
    way_of(client(), "GetItem").wire.forget()  # a kept connection that breaks is replaced unseen
    front.play = once(play)
    with meter.measure() as measured:
        assert read().user_id == "A"
    assert front.asked == ["GetItem"] * 2
    assert given_up() == {reason: 1}
    assert [call.operation for call in measured.calls] == ["GetItem"]


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_who_connects_at_the_third_try_hears_each_call_once(front):
    connection.disconnect()
    front.play = fail_inside
    for _ in range(2):
        with pytest.raises(Unavailable):
            connection.connection()
    front.stop_playing()
    connection.connection()
    front.asked.clear()
    with meter.measure() as measured:
        assert read().user_id == "A"
    assert front.asked == [call.operation for call in measured.calls] == ["GetItem"]


def lose_the_answer(asking):
    asking.engines_answer()
    asking.close_connection = True
    return True


def count_up():
    transact(Change(UserCount, keys.user_count("A"), [UserCount.posts.add(1)]))


def other_count():
    count = UserCount.new(user_id="A")
    count.posts = 7
    return count


@not_on_moto
@pytest.mark.usefixtures("a_count")
@pytest.mark.parametrize("play", [answer_without_length, fail_inside, throttle, lose_the_answer])
def test_a_transaction_that_is_given_up_is_done_once(front, play):
    way_of(client(), "TransactWriteItems").wire.forget()
    front.play = once(play)
    count_up()
    assert front.asked == ["TransactWriteItems"] * 2
    assert read().posts == 1


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_a_condition_that_does_not_hold_is_asked_once_and_keeps_its_connection(front, given_up):
    connections = front.connections
    for _ in range(transport.RESTS_AFTER + 1):
        with pytest.raises(AlreadyExists):
            create(other_count())
        with pytest.raises(AlreadyExists):
            transact(Create(other_count()))
    assert front.asked == ["PutItem", "TransactWriteItems"] * (transport.RESTS_AFTER + 1)
    assert (front.connections, given_up()) == (connections, {})


@not_on_moto
@pytest.mark.usefixtures("a_count")
@pytest.mark.parametrize(
    "body", [b"<html>Bad request</html>", b"[]", b'{"__type": 1}', b'{"message": "no"}', b""]
)
def test_a_refusal_that_is_not_dynamodbs_is_asked_by_botocore(front, given_up, body):
    def refuse(asking):
        asking.say(400, body)
        return True

    front.play = once(refuse)
    create(UserCount.new(user_id="B"))
    assert (front.asked, given_up()) == (["PutItem"] * 2, {"status": 1})


@not_on_moto
@pytest.mark.usefixtures("a_count")
@pytest.mark.parametrize("play", [fail_inside, hang, hang_up])
def test_a_fault_that_stays_is_met_by_two_tries_as_by_botocore_alone(front, play):
    way_of(client(), "GetItem").wire.forget()
    front.play = play
    with pytest.raises(Unavailable):
        read()
    assert front.asked == ["GetItem"] * 2


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_a_throttled_call_is_repeated_for_as_long_as_ever(front):
    left = iter([throttle] * 5)
    front.play = lambda asking: next(left, lambda _: False)(asking)
    assert read().user_id == "A"
    assert front.asked == ["GetItem"] * 6


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_a_page_of_a_proxy_is_no_answer(front):
    def play(asking):
        asking.say(200, b"<html>Please sign in</html>")
        return True

    front.play = play
    with pytest.raises(Unavailable, match="something other than DynamoDB"):
        read()
    assert front.asked == ["GetItem"]


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_keys_that_stay_unprocessed_are_asked_for_again(front, given_up):
    def process_none(asking):
        asking.say(200, b'{"Responses": {}, "UnprocessedKeys": %s}' % _asked_in(asking.body))
        return True

    front.play = once(process_none)
    assert list(fetch([keys.user_count("A")])) == [keys.user_count("A")]
    assert (front.asked, given_up()) == (["BatchGetItem"] * 2, {})


@not_on_moto
@pytest.mark.usefixtures("a_count")
@pytest.mark.parametrize("write", [write_batch, partial(write_as_made, at_once=2)])
def test_items_that_stay_unprocessed_are_sent_again(front, given_up, write):
    def process_none(asking):
        asking.say(200, b'{"UnprocessedItems": %s}' % _asked_in(asking.body))
        return True

    front.play = once(process_none)
    puts = [UserCount.new(user_id=name) for name in "BCD"]
    with paced(lambda most: 1):
        write(puts=[put.serialize() for put in puts])
    assert (front.asked, given_up()) == (["BatchWriteItem"] * 4, {})
    assert len(fetch(put.key for put in puts)) == 3


def _asked_in(body):
    return body.partition(b'"RequestItems":')[2].partition(b',"ReturnConsumedCapacity"')[0]


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_an_engine_that_is_not_understood_is_left_to_botocore_for_a_while(front, monkeypatch):
    front.play = answer_without_length
    for _ in range(transport.RESTS_AFTER):
        read()
    assert way_of(client(), "GetItem") is None
    front.asked.clear()
    read()
    assert front.asked == ["GetItem"]
    now = time.monotonic()
    monkeypatch.setattr(transport.time, "monotonic", lambda: now + transport.REST + 1)
    assert way_of(client(), "GetItem") is not None


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_it_does_not_rest_for_faults_that_come_singly(front):
    for number in range(transport.RESTS_AFTER * 2):
        front.play = once(answer_without_length) if number % 2 else lambda _: False
        read()
    assert way_of(client(), "GetItem") is not None


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_a_web_process_does_not_wait_twice(web_front, given_up):
    web_front.play = hang
    with pytest.raises(Unavailable) as unavailable:
        read()
    assert isinstance(unavailable.value.__cause__, ReadTimeoutError)
    assert (web_front.asked, given_up()) == (["GetItem"], {})


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_the_breaker_opens_and_closes_for_it_as_for_botocore(web_front):
    web_front.play = fail_inside
    for _ in range(3):
        with pytest.raises(Unavailable):
            read()
    web_front.asked.clear()
    with pytest.raises(Unavailable, match="calls are refused"):
        read()
    assert web_front.asked == []
    web_front.play = lambda _: False
    deadline = time.monotonic() + 60
    while not web_front.asked and time.monotonic() < deadline:
        try:
            assert read().user_id == "A"
        except Unavailable:
            time.sleep(0.05)
    assert web_front.asked == ["GetItem"]
    assert read().user_id == "A"


@not_on_moto
@pytest.mark.usefixtures("a_count")
def test_a_refused_request_leaves_the_breaker_closed(web_front):
    for _ in range(4):
        with pytest.raises(Refused):
            fetch_without_key()
        with pytest.raises(AlreadyExists):
            create(other_count())
    assert read().user_id == "A"


def fetch_without_key():
    ask("GetItem", {"TableName": table_name(), "Key": {"PK": {"S": "x"}}})


# Calls that are asked together: all are sent before the first answer is read, and each is answered in its place.

NAMES = ("A", "B", "C")
REAL = pytest.mark.engines("embedded", "dynamodb-local", reason="moto answers inside botocore")


@pytest.fixture
def counts(request, table):
    for name in ("web_front", "front"):
        if name in request.fixturenames:
            request.getfixturevalue(name)
    for name in NAMES:
        create(UserCount.new(user_id=name))


def item(name):
    return "GetItem", {
        "TableName": table_name(),
        "Key": wire(keys.user_count(name)),
        "ConsistentRead": True,
        "ReturnConsumedCapacity": "TOTAL",
    }


def partition(name):
    return "Query", {
        "TableName": table_name(),
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": {"S": keys.user_count(name).pk}},
        "ReturnConsumedCapacity": "TOTAL",
    }


WRONG = ("GetItem", {"TableName": "none-such", "Key": wire(keys.user_count("A"))})


def people_in(answers):
    raws = [answer["Item"] if "Item" in answer else answer["Items"][0] for answer in answers]
    return [raw["user_id"]["S"] for raw in raws]


@pytest.mark.usefixtures("counts")
def test_answers_come_in_the_order_of_the_calls():
    assert people_in(together(item("B"), partition("C"), item("A"))) == ["B", "C", "A"]
    assert together() == []


@pytest.mark.usefixtures("counts")
def test_each_is_measured():
    with meter.measure() as measured:
        together(item("A"), partition("B"))
    assert [call.operation for call in measured.calls] == ["GetItem", "Query"]
    assert all(call.units for call in measured.calls)


@pytest.mark.usefixtures("counts")
@REAL
def test_all_are_sent_before_the_first_is_answered(front, given_up):
    all_there = threading.Barrier(3, timeout=5)

    def wait_for_others(_):
        all_there.wait()
        return False

    front.play = wait_for_others
    assert people_in(together(*(item(name) for name in NAMES))) == ["A", "B", "C"]
    assert given_up() == {}


@pytest.mark.usefixtures("counts")
@REAL
def test_one_that_is_given_up_is_asked_by_botocore_in_its_place(front, given_up):
    front.asked.clear()
    refuse = threading.Lock()

    def break_the_query(asking):
        if asking.operation == "Query" and refuse.acquire(blocking=False):
            asking.say_until_the_end(*asking.engines_answer())
            return True
        return False

    front.play = break_the_query
    assert people_in(together(item("A"), partition("B"), item("C"))) == ["A", "B", "C"]
    assert given_up() == {"answer": 1}
    assert sorted(front.asked) == ["GetItem", "GetItem", "Query", "Query"]


@pytest.mark.usefixtures("counts")
@REAL
def test_if_one_fails_the_others_are_let_go_and_their_answers_are_nobody_elses():
    with pytest.raises((Refused, Unavailable)):
        together(WRONG, item("B"), item("C"))
    assert people_in([ask(*item(name)) for name in NAMES]) == ["A", "B", "C"]


@pytest.mark.usefixtures("counts")
@REAL
def test_the_breaker_forgets_those_that_nobody_waits_for(web_front):
    breaker = _breaker()
    with pytest.raises((Refused, Unavailable)):
        together(WRONG, item("B"), item("C"))
    assert breaker._running == {}
    web_front.play = lambda asking: not asking.say(503, b"{}")
    for _ in range(3):
        with pytest.raises(Unavailable):
            together(item("A"), item("B"))
    assert breaker.is_open
    assert breaker._running == {}
    with pytest.raises(Unavailable, match="calls are refused"):
        together(item("A"), item("B"))


def _breaker():
    listeners = client().meta.events._emitter._handlers.prefix_search("given-up.dynamodb")
    return listeners[0].__self__


@pytest.mark.usefixtures("counts")
@REAL
def test_those_of_botocore_are_asked_one_after_the_other(front):
    front.asked.clear()
    with Hook().hooked(connection.client()) as hook:
        assert way_of(client(), "GetItem") is None
        assert people_in(together(item("A"), partition("B"))) == ["A", "B"]
        assert hook.sent == front.asked == ["GetItem", "Query"]


@pytest.mark.usefixtures("counts")
@REAL
def test_what_botocore_asks_is_asked_before_the_next_call_is_made(front):
    """A writer passes its fence when a call is made, so none may be asked much later."""
    asked_before = []

    def calls():
        for name in NAMES:
            asked_before.append(len(front.asked))
            yield item(name)

    front.asked.clear()
    with Hook().hooked(connection.client()):
        assert people_in(in_turn(calls(), at_once=3)) == ["A", "B", "C"]
    assert asked_before == [0, 1, 2]

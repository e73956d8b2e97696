"""Calls that are asked together: all are sent before the first answer is read, and each is answered in its place."""

import threading

import pytest

from accounts.models import UserCount
from socialsite.table import Refused, Unavailable, connection, create, keys, meter
from socialsite.table.connection import client, table_name
from socialsite.table.transport.client import way_of
from socialsite.table.transport.requests import ask, in_turn, together, wire
from tests.injected.hook import Hook

NAMES = ("A", "B", "C")
REAL = pytest.mark.engines("embedded", "dynamodb-local", reason="moto answers inside botocore")


@pytest.fixture(autouse=True)
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


def test_answers_come_in_the_order_of_the_calls():
    assert people_in(together(item("B"), partition("C"), item("A"))) == ["B", "C", "A"]
    assert together() == []


def test_each_is_measured():
    with meter.measure() as measured:
        together(item("A"), partition("B"))
    assert [call.operation for call in measured.calls] == ["GetItem", "Query"]
    assert all(call.units for call in measured.calls)


@REAL
def test_all_are_sent_before_the_first_is_answered(front, given_up):
    all_there = threading.Barrier(3, timeout=5)

    def wait_for_others(_):
        all_there.wait()
        return False

    front.play = wait_for_others
    assert people_in(together(*(item(name) for name in NAMES))) == ["A", "B", "C"]
    assert given_up() == {}


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


@REAL
def test_if_one_fails_the_others_are_let_go_and_their_answers_are_nobody_elses():
    with pytest.raises((Refused, Unavailable)):
        together(WRONG, item("B"), item("C"))
    assert people_in([ask(*item(name)) for name in NAMES]) == ["A", "B", "C"]


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


@REAL
def test_those_of_botocore_are_asked_one_after_the_other(front):
    front.asked.clear()
    with Hook().hooked(connection.client()) as hook:
        assert way_of(client(), "GetItem") is None
        assert people_in(together(item("A"), partition("B"))) == ["A", "B"]
        assert hook.sent == front.asked == ["GetItem", "Query"]


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

"""What the own way gives up is asked by botocore, once more and no oftener, and nobody notices but the metric."""

import threading
import time

import pytest
from botocore.exceptions import ReadTimeoutError

from accounts.models import UserCount
from socialsite.table import (
    AlreadyExists,
    Change,
    Create,
    Refused,
    Unavailable,
    create,
    fetch,
    get,
    keys,
    meter,
    transact,
    write_batch,
)
from socialsite.table.connection import client, table_name
from socialsite.table.resilience import paced
from socialsite.table.transport import client as transport
from socialsite.table.transport.client import way_of
from socialsite.table.transport.requests import ask
from tests.table.transport.conftest import SECONDS

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto answers inside botocore, so the own way stays shut"
)


@pytest.fixture(autouse=True)
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


def test_what_goes_well_is_asked_once(front, given_up):
    assert read().user_id == "A"
    assert (front.asked, given_up()) == (["GetItem"], {})


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


@pytest.mark.parametrize("play", [answer_without_length, fail_inside, throttle, lose_the_answer])
def test_a_transaction_that_is_given_up_is_done_once(front, play):
    way_of(client(), "TransactWriteItems").wire.forget()
    front.play = once(play)
    count_up()
    assert front.asked == ["TransactWriteItems"] * 2
    assert read().posts == 1


def test_a_condition_that_does_not_hold_is_asked_once_and_keeps_its_connection(front, given_up):
    connections = front.connections
    for _ in range(transport.RESTS_AFTER + 1):
        with pytest.raises(AlreadyExists):
            create(other_count())
        with pytest.raises(AlreadyExists):
            transact(Create(other_count()))
    assert front.asked == ["PutItem", "TransactWriteItems"] * (transport.RESTS_AFTER + 1)
    assert (front.connections, given_up()) == (connections, {})


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


@pytest.mark.parametrize("play", [fail_inside, hang, hang_up])
def test_a_fault_that_stays_is_met_by_two_tries_as_by_botocore_alone(front, play):
    way_of(client(), "GetItem").wire.forget()
    front.play = play
    with pytest.raises(Unavailable):
        read()
    assert front.asked == ["GetItem"] * 2


def test_a_throttled_call_is_repeated_for_as_long_as_ever(front):
    left = iter([throttle] * 5)
    front.play = lambda asking: next(left, lambda _: False)(asking)
    assert read().user_id == "A"
    assert front.asked == ["GetItem"] * 6


def test_a_page_of_a_proxy_is_no_answer(front):
    def play(asking):
        asking.say(200, b"<html>Please sign in</html>")
        return True

    front.play = play
    with pytest.raises(Unavailable, match="something other than DynamoDB"):
        read()
    assert front.asked == ["GetItem"]


def test_keys_that_stay_unprocessed_are_asked_for_again(front, given_up):
    def process_none(asking):
        asking.say(200, b'{"Responses": {}, "UnprocessedKeys": %s}' % _asked_in(asking.body))
        return True

    front.play = once(process_none)
    assert list(fetch([keys.user_count("A")])) == [keys.user_count("A")]
    assert (front.asked, given_up()) == (["BatchGetItem"] * 2, {})


@pytest.mark.parametrize("at_once", [1, 2])
def test_items_that_stay_unprocessed_are_sent_again(front, given_up, at_once):
    def process_none(asking):
        asking.say(200, b'{"UnprocessedItems": %s}' % _asked_in(asking.body))
        return True

    front.play = once(process_none)
    puts = [UserCount.new(user_id=name) for name in "BCD"]
    with paced(lambda most: 1):
        write_batch(puts=puts, at_once=at_once)
    assert (front.asked, given_up()) == (["BatchWriteItem"] * 4, {})
    assert len(fetch(put.key for put in puts)) == 3


def _asked_in(body):
    return body.partition(b'"RequestItems":')[2].partition(b',"ReturnConsumedCapacity"')[0]


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


def test_it_does_not_rest_for_faults_that_come_singly(front):
    for number in range(transport.RESTS_AFTER * 2):
        front.play = once(answer_without_length) if number % 2 else lambda _: False
        read()
    assert way_of(client(), "GetItem") is not None


def test_a_web_process_does_not_wait_twice(web_front, given_up):
    web_front.play = hang
    with pytest.raises(Unavailable) as unavailable:
        read()
    assert isinstance(unavailable.value.__cause__, ReadTimeoutError)
    assert (web_front.asked, given_up()) == (["GetItem"], {})


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


def test_a_refused_request_leaves_the_breaker_closed(web_front):
    for _ in range(4):
        with pytest.raises(Refused):
            fetch_without_key()
        with pytest.raises(AlreadyExists):
            create(other_count())
    assert read().user_id == "A"


def fetch_without_key():
    ask("GetItem", {"TableName": table_name(), "Key": {"PK": {"S": "x"}}})

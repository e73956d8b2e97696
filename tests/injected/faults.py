"""What can go wrong between the site and DynamoDB, each as the caller would meet it."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ConnectionClosedError, EndpointConnectionError, ReadTimeoutError

from tests.injected.hook import FOR_EVER, Fault, Sending

WRITES = frozenset({"PutItem", "UpdateItem", "DeleteItem"})
TRANSACTIONS = frozenset({"TransactWriteItems"})
BATCHES = frozenset({"BatchGetItem", "BatchWriteItem"})
STREAM_READS = frozenset({"DescribeStream", "GetShardIterator", "GetRecords"})

GIVES_UP = 3  # botocore's tries of one call
TIMES = (1, GIVES_UP, FOR_EVER)


def throttle(sending: Sending) -> AWSResponse:
    return sending.refuse("ProvisionedThroughputExceededException")


def fail_inside(sending: Sending) -> AWSResponse:
    return sending.refuse("InternalServerError", 500)


def lose_answer(sending: Sending) -> AWSResponse:
    """The engine did what was asked, and the connection broke before its answer came."""
    sending.let_through()
    raise ConnectionClosedError(endpoint_url=sending.request.url)


def answer_too_late(sending: Sending) -> AWSResponse:
    """The engine did what was asked, but the answer took too long."""
    sending.let_through()
    raise ReadTimeoutError(endpoint_url=sending.request.url)


def time_out(sending: Sending) -> AWSResponse:
    """Nothing was done, and nothing came back."""
    raise ReadTimeoutError(endpoint_url=sending.request.url)


def refuse_connection(sending: Sending) -> AWSResponse:
    raise EndpointConnectionError(endpoint_url=sending.request.url)


def _cancelled(sending: Sending, conflicting: range) -> AWSResponse:
    codes = [
        "TransactionConflict" if number in conflicting else "None"
        for number in range(len(sending.body["TransactItems"]))
    ]
    reasons = [{"Code": code, "Message": code} for code in codes]
    return sending.refuse("TransactionCanceledException", CancellationReasons=reasons)


def conflict_everywhere(sending: Sending) -> AWSResponse:
    return _cancelled(sending, range(100))


def conflict_in_one_item(sending: Sending) -> AWSResponse:
    return _cancelled(sending, range(1))


def conflict_with_transaction(sending: Sending) -> AWSResponse:
    """A write of one item met a transaction that holds the item."""
    return sending.refuse("TransactionConflictException")


def leave_all_unprocessed(sending: Sending) -> AWSResponse:
    return _processed(sending, share=0)


def leave_half_unprocessed(sending: Sending) -> AWSResponse:
    return _processed(sending, share=0.5)


def _processed(sending: Sending, *, share: float) -> AWSResponse:
    body = sending.body
    ((table, asked),) = body["RequestItems"].items()
    if sending.operation == "BatchGetItem":
        keys: list[Any] = asked["Keys"]
        some = int(len(keys) * share)
        now, later = asked | {"Keys": keys[:some]}, asked | {"Keys": keys[some:]}
        answer: dict[str, Any] = {"Responses": {table: []}}
        left = {"UnprocessedKeys": {table: later}}
    else:
        some = int(len(asked) * share)
        now, later = asked[:some], asked[some:]
        answer, left = {}, {"UnprocessedItems": {table: later}}
    if some:
        through = sending.let_through(body | {"RequestItems": {table: now}})
        if through.status_code != 200:
            return through
        answer = json.loads(through.content)
    return sending.answer(200, answer | left)


def limit_stream_reads(sending: Sending) -> AWSResponse:
    return sending.refuse("LimitExceededException")


def expire_iterator(sending: Sending) -> AWSResponse:
    return sending.refuse("ExpiredIteratorException")


ANYWHERE = [
    Fault("throttled", throttle),
    Fault("failed inside", fail_inside),
    Fault("answer lost", lose_answer),
    Fault("answered too late", answer_too_late),
    Fault("timed out", time_out),
    Fault("connection refused", refuse_connection),
]
CONFLICTS = [
    Fault("conflict everywhere", conflict_everywhere, TRANSACTIONS),
    Fault("conflict in one item", conflict_in_one_item, TRANSACTIONS),
    Fault("conflict with a transaction", conflict_with_transaction, WRITES),
]
UNPROCESSED = [
    Fault("all unprocessed", leave_all_unprocessed, BATCHES),
    Fault("half unprocessed", leave_half_unprocessed, BATCHES),
]
OF_STREAMS = [
    Fault("stream reads limited", limit_stream_reads, STREAM_READS),
    Fault("iterator expired", expire_iterator, frozenset({"GetRecords"})),
]
ALL = [*ANYWHERE, *CONFLICTS, *UNPROCESSED, *OF_STREAMS]


def combinations(operations: Sequence[str]) -> Iterator[tuple[int, Fault, int]]:
    """Every call × every fault that can meet it × once, until botocore gives up, and for ever."""
    for number, operation in enumerate(operations):
        for fault in ALL:
            if fault.applies_to(operation):
                yield from ((number, fault, times) for times in TIMES)

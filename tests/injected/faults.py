"""Faults put between the site and its engine: the hook, denied rights, a hurried clock, and what takes turns."""

import json
import os
import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

import botocore.endpoint
import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import ConnectionClosedError, EndpointConnectionError, ReadTimeoutError
from botocore.retries.quota import RetryQuota
from django.core.files.storage import Storage

from socialsite.table import reading, refusals, resilience, writing

# The one hook between botocore and the engine: it counts what is sent, and answers in the engine's place.
#
# It sits on botocore's `before-send` event, below PynamoDB and everything of ours, so that retries, translation
# of errors and pages are the real ones. Which faults there are stands in `faults.py`.

FOR_EVER: int = 1_000_000
SERVICES = ("dynamodb", "dynamodb-streams")
JSON = {"Content-Type": "application/x-amz-json-1.0"}


@dataclass(frozen=True)
class Sending:
    """One request on its way, and the means to let it through."""

    operation: str
    request: AWSPreparedRequest
    endpoint: Any

    @property
    def body(self) -> dict[str, Any]:
        """What is asked."""
        read: dict[str, Any] = json.loads(self.request.body)
        return read

    def let_through(self, body: dict[str, Any] | None = None) -> AWSResponse:
        """The engine's answer, to what was asked or to another body. Local engines check no signature."""
        if body is not None:
            self.request.body = json.dumps(body).encode()
            self.request.headers["Content-Length"] = str(len(self.request.body))
        answer: AWSResponse = self.endpoint._send(self.request)
        return answer

    def answer(self, status: int, body: dict[str, Any]) -> AWSResponse:
        """An answer of our own."""
        return AWSResponse(self.request.url, status, JSON, _Body(json.dumps(body).encode()))

    def refuse(self, code: str, status: int = 400, **more: Any) -> AWSResponse:
        """An error as DynamoDB words it."""
        kind = f"com.amazonaws.dynamodb.v20120810#{code}"
        return self.answer(status, {"__type": kind, "message": f"injected {code}", **more})


@dataclass(frozen=True)
class _Body:
    content: bytes

    def stream(self) -> Iterator[bytes]:
        yield self.content


@dataclass(frozen=True)
class Fault:
    """One thing that can go wrong: `answer` returns what the caller gets, or raises what botocore would."""

    name: str
    answer: Callable[[Sending], AWSResponse]
    operations: frozenset[str] = frozenset()  # empty: all

    def applies_to(self, operation: str) -> bool:
        return not self.operations or operation in self.operations


@dataclass
class Hook:
    """Every request that was sent, and the fault that is armed, if one is."""

    sent: list[str] = field(default_factory=list)
    injected: int = 0
    _fault: Fault | None = None
    _first: int = 0
    _left: int = 0

    def arm(self, fault: Fault, *, at: int = 0, times: int = 1) -> None:
        """From the `at`-th request on (counted from now, 0 is the next), the next `times` that it applies to."""
        self.sent.clear()
        self.injected = 0
        self._fault, self._first, self._left = fault, at, times

    def disarm(self) -> None:
        self._fault = None

    @contextmanager
    def armed(self, fault: Fault, *, at: int = 0, times: int = 1) -> Iterator[None]:
        self.arm(fault, at=at, times=times)
        try:
            yield
        finally:
            self.disarm()

    @contextmanager
    def hooked(self, *clients: Any) -> Iterator["Hook"]:
        """Listens to these clients inside the block."""
        for client in clients:
            self.listen(client)
        try:
            yield self
        finally:
            self.disarm()
            self.leave(clients)

    def listen(self, client: Any) -> None:
        for service in SERVICES:
            client.meta.events.register_first(
                f"before-send.{service}",
                partial(self._before_send, client._endpoint),
                unique_id=f"faults {service}",
            )

    def leave(self, clients: Iterable[Any]) -> None:
        for client in clients:
            for service in SERVICES:
                client.meta.events.unregister(
                    f"before-send.{service}", unique_id=f"faults {service}"
                )

    def _before_send(
        self, endpoint: Any, request: AWSPreparedRequest, event_name: str, **_: Any
    ) -> AWSResponse | None:
        operation = event_name.rpartition(".")[2]
        number = len(self.sent)
        self.sent.append(operation)
        fault = self._fault
        if fault is None or number < self._first or not self._left:
            return None
        if not fault.applies_to(operation):
            return None
        self._left -= 1
        self.injected += 1
        return fault.answer(Sending(operation, request, endpoint))


# What can go wrong between the site and DynamoDB, each as the caller would meet it.

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


# A clock that runs ahead instead of sleeping, so that waits are measured but not waited for.


class HurriedClock:
    """Stands in for the `time` module where a retry is waited for: what is slept is added to what the clock shows."""

    def __init__(self) -> None:
        self.slept = 0.0

    def sleep(self, seconds: float) -> None:
        self.slept += seconds

    def monotonic(self) -> float:
        return time.monotonic() + self.slept

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


def hurry(monkeypatch: pytest.MonkeyPatch) -> HurriedClock:
    """Back-off of botocore and of the table package passes at once.

    The budget of retries that botocore keeps for a whole process never runs out, so that each test meets the same
    number of tries.
    """
    clock = HurriedClock()
    for module in (botocore.endpoint, reading, refusals, resilience, writing):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(RetryQuota, "acquire", lambda *_: True)
    return clock


# A role that lacks a right: what DynamoDB, its stream and S3 answer then.

IN_S3 = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"


def denied(*operations: str) -> Fault:
    """These operations are denied, or all."""
    return Fault(
        "denied",
        lambda sending: sending.refuse("AccessDeniedException"),
        operations=frozenset(operations),
    )


@contextmanager
def denied_bucket(storage: Storage) -> Iterator[None]:
    """Everything asked of this storage's bucket is denied."""
    events: Any = storage.connection.meta.client.meta.events  # type: ignore[attr-defined]

    def deny(request: Any, **_: Any) -> AWSResponse:
        return AWSResponse(request.url, 403, {"Content-Type": "application/xml"}, _Body(IN_S3))

    events.register_first("before-send.s3", deny)
    try:
        yield
    finally:
        events.unregister("before-send.s3", deny)


# Which combinations a run tries: all with FAULTS=long, else a share of them, and others each time.

T = TypeVar("T")

IS_LONG = os.environ.get("FAULTS") == "long"
SEED = int(os.environ.get("FAULTS_SEED") or random.randrange(1_000_000))


def share(combinations: Iterable[T], *, one_of: int, salt: str) -> list[T]:
    """All of them, or one of so many; `FAULTS_SEED` repeats a run."""
    every = list(combinations)
    if IS_LONG:
        return every
    count = -(-len(every) // one_of)
    return random.Random(f"{SEED} {salt}").sample(every, count)


def describe(salt: str, total: int, tried: int) -> str:
    return f"FAULTS_SEED={SEED} {salt}: {tried} of {total} combinations"


# Letting a worker run for some steps, through its own loop, without its pauses.


class Rounds(threading.Event):
    """Tells a worker to stop after so many steps, and never lets it wait."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.left = count

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0

    def wait(self, timeout: float | None = None) -> bool:
        return False

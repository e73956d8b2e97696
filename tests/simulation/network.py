"""The wire between the processes and the engine: every call of the site passes here, and may meet what the seed draws.

It stands below botocore and below the site's own transport, so that retries, the breaker, the translation of errors and
the pages are the real ones. A call takes simulated milliseconds in both directions, and others go on meanwhile.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import Any

import orjson
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    EndpointConnectionError,
    ReadTimeoutError,
)

from socialsite.table.transport.http_client import GivenUp
from tests.simulation.clockwork import clock
from tests.simulation.engine import Engine, Refusal
from tests.simulation.processes import Killed, Scheduler, Task
from tests.simulation.shards import StreamRefusal

SIGNED_WITHIN = 300.0  # seconds: what was signed by another clock than this, Amazon refuses
JSON = {"Content-Type": "application/x-amz-json-1.0"}
WRITES = {"PutItem", "UpdateItem", "DeleteItem"}
BATCHES = {"BatchGetItem", "BatchWriteItem"}
STREAM_READS = {"DescribeStream", "GetShardIterator", "GetRecords"}


class Fate(StrEnum):
    """What becomes of a call."""

    LOST_REQUEST = "request lost"
    LOST_REPLY = "reply lost"
    BROKEN = "connection broken before the reply"
    LATE_REQUEST = "request late"
    LATE_REPLY = "reply late"
    THROTTLED = "throttled"
    FAILED = "failed inside"
    FAILED_AFTER = "failed inside after the write"
    CONFLICT = "conflict"
    UNPROCESSED = "left unprocessed"
    SHORT_PAGE = "short page"
    EXPIRED = "iterator expired"
    KILLED_BEFORE = "killed before the request"
    KILLED_AFTER = "killed before the reply"
    REPEATED = "records repeated"
    AWAY = "engine away"
    FULL = "disk full"
    WRONG_CLOCK = "refused for a wrong clock"


# How often each befalls a call when faults are drawn, of all that befall calls.
WEIGHTS = {
    Fate.LOST_REQUEST: 3,
    Fate.LOST_REPLY: 5,
    Fate.BROKEN: 4,
    Fate.LATE_REQUEST: 4,
    Fate.LATE_REPLY: 3,
    Fate.THROTTLED: 5,
    Fate.FAILED: 2,
    Fate.FAILED_AFTER: 2,
    Fate.CONFLICT: 6,
    Fate.UNPROCESSED: 4,
    Fate.SHORT_PAGE: 4,
    Fate.EXPIRED: 1,
    Fate.KILLED_BEFORE: 2,
    Fate.KILLED_AFTER: 3,
    Fate.REPEATED: 3,
}
FATES, FATE_WEIGHTS = list(WEIGHTS), list(WEIGHTS.values())


class Lost(Exception):
    """No answer came in time."""


class Refused(Exception):
    """No connection could be had."""


class Broken(Exception):
    """The connection ended before the answer."""


@dataclass(slots=True)
class Sent:
    """A call on its way. `socket`-like for `OwnWay.drop`, which closes it."""

    operation: str
    request: dict[str, Any]
    task: Task | None
    signed_at: float  # by the clock of its process
    gives_up_at: float
    status: int = 0
    body: bytes = b""
    told: Any = None  # of the stream, whose records nobody has to read from JSON
    answered_at: float | None = None
    fails: Exception | None = None
    is_awaited: bool = False
    is_late_of_worker: bool = False

    def close(self) -> None:
        self.task = None


@dataclass
class Network:
    engine: Engine
    world: Scheduler
    chance: random.Random
    faults: float = 0.0  # the share of calls that meet one
    counted: Counter[str] = field(default_factory=Counter)
    history: Any = field(default_factory=lambda: blake2b(digest_size=16))
    away_until: float = 0.0
    full_until: float = 0.0
    late_until: float = 0.0  # when the last late call arrives
    # The items of which a late call of a worker was the last to write, by their places.
    put_late: dict[tuple[str, str], Any] = field(default_factory=dict)
    kills: Any = None  # what kills a process, set by the world
    said: Any = None  # hears of each fault
    watched: str = ""  # what is written about it is told
    tells: Any = print

    # Sending and receiving

    def send(self, operation: str, request: dict[str, Any]) -> Sent:
        task = self.world.task
        if task is not None and task.is_killed:
            raise Killed
        patience = task.process.timeout if task else 0.0
        sent = Sent(operation, request, task, clock.time(), clock.now + patience)
        if task is None:
            self._arrive(sent, None)
            return sent
        fate = self._fate(sent, task)
        if fate is Fate.KILLED_BEFORE:
            self._kill(task)
        if clock.now < self.away_until:
            sent.fails = Refused()
            sent.answered_at = clock.now
            self._count(Fate.AWAY, sent)
            return sent
        there = self._latency()
        if fate is Fate.LATE_REQUEST:
            there = self.chance.choice((0.6, 3.0, 12.0, 40.0)) * (0.5 + self.chance.random())
            task.late_until = max(task.late_until, clock.now + there)
            self.late_until = max(self.late_until, clock.now + there)
            sent.is_late_of_worker = task.process.name.startswith("worker")
        if fate is not Fate.LOST_REQUEST:
            self.world.at(clock.now + there, lambda: self._arrive(sent, fate))
        return sent

    def receive(self, sent: Sent) -> Sent:
        """The same call, answered. Raises `Lost`, `Refused`, `Broken`."""
        task = self.world.task
        if task is not None:
            if task.is_killed:
                raise Killed
            if sent.answered_at is None:
                sent.is_awaited = True
                self.world.at(sent.gives_up_at, lambda: self._give_up(sent))
                self.world.give_way()
                sent.is_awaited = False
            elif sent.answered_at > clock.now:
                self.world.wait(sent.answered_at - clock.now)
        if sent.fails:
            raise sent.fails
        if sent.answered_at is None:
            raise Lost
        return sent

    def ask(self, operation: str, request: dict[str, Any]) -> Sent:
        return self.receive(self.send(operation, request))

    def _give_up(self, sent: Sent) -> None:
        if sent.is_awaited and sent.answered_at is None and sent.task is not None:
            sent.is_awaited = False
            self.world._wake(sent.task)

    def _arrive(self, sent: Sent, fate: Fate | None) -> None:
        """The engine gets a request, and its answer goes back."""
        places = _puts(sent.request) if sent.operation == "BatchWriteItem" else set()
        before = {place: self.engine.items.get(place) for place in places}
        sent.status, sent.told = self._answer(sent, fate)
        if places:
            self._note_late(sent, before)
        if sent.operation in STREAM_READS:
            seen = [one["eventID"] for one in sent.told.get("Records", ())]
            self._note(sent, "".join(seen).encode())
        else:
            sent.body = orjson.dumps(sent.told)
            self._note(sent, sent.body)
        if sent.task is None:
            sent.answered_at = clock.now
            return
        if fate is Fate.LOST_REPLY:
            return
        if fate is Fate.KILLED_AFTER:
            self.kills(sent.task.process)
            return
        back = self._latency()
        if fate is Fate.LATE_REPLY:
            back = self.chance.choice((0.3, 1.5, 6.0)) * (0.5 + self.chance.random())
        if fate is Fate.BROKEN:
            sent.fails = Broken()
        self.world.at(clock.now + back, lambda: self._come_back(sent))

    def _note_late(self, sent: Sent, before: dict[tuple[str, str], Any]) -> None:
        """Notes what a late call of a worker changed; whoever puts the same again stands for it."""
        for place, old in before.items():
            self.put_late.pop(place, None)
            now = self.engine.items.get(place)
            if sent.is_late_of_worker and now is not old:
                self.put_late[place] = now

    def _come_back(self, sent: Sent) -> None:
        sent.answered_at = clock.now
        if sent.is_awaited and sent.task is not None:
            sent.is_awaited = False
            self.world._wake(sent.task)

    def _latency(self) -> float:
        return 0.0005 + 0.004 * self.chance.random() ** 3

    def _kill(self, task: Task) -> None:
        self.world.at(clock.now, lambda: self.kills(task.process))
        self.world.give_way()
        raise Killed

    # What the engine says

    def _answer(self, sent: Sent, fate: Fate | None) -> tuple[int, dict[str, Any]]:
        operation, request = sent.operation, sent.request
        match fate:
            case Fate.THROTTLED:
                return _refused(
                    "LimitExceededException"
                    if operation in STREAM_READS
                    else "ProvisionedThroughputExceededException"
                )
            case Fate.FAILED:
                return _refused("InternalServerError", 500)
            case Fate.CONFLICT if operation == "TransactWriteItems":
                return _refused(
                    "TransactionCanceledException", CancellationReasons=self._met(request)
                )
            case Fate.CONFLICT:
                return _refused("TransactionConflictException")
            case Fate.EXPIRED:
                return _refused("ExpiredIteratorException")
            case Fate.SHORT_PAGE:
                most = self.chance.randint(1, 4)
                request = request | {"Limit": min(request.get("Limit") or most, most)}
            case Fate.UNPROCESSED:
                return self._in_part(operation, request)
        if abs(clock.now - sent.signed_at) > SIGNED_WITHIN:
            self._count(Fate.WRONG_CLOCK, sent)
            return _refused("InvalidSignatureException")
        if sent.task and clock.now < self.full_until and _writes(operation, request):
            self._count(Fate.FULL, sent)
            return _refused("InternalServerError", 500)
        if operation in STREAM_READS:
            return self._of_stream(operation, request, fate)
        told = self.engine.answer(operation, request)
        return _refused("InternalServerError", 500) if fate is Fate.FAILED_AFTER else told

    def _met(self, request: dict[str, Any]) -> list[dict[str, str]]:
        met = self.chance.randrange(len(request["TransactItems"]))
        codes = ["None"] * len(request["TransactItems"])
        codes[met] = "TransactionConflict"
        return [{"Code": code} for code in codes]

    def _in_part(self, operation: str, request: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """A batch that is done in part."""
        ((table, asked),) = request["RequestItems"].items()
        is_read = operation == "BatchGetItem"
        all_of_it = asked["Keys"] if is_read else asked
        some = self.chance.randint(0, len(all_of_it) - 1)
        status, told = 200, {"Responses": {table: []}} if is_read else {}
        part = {"Keys": all_of_it[:some]} if is_read else all_of_it[:some]
        if some:
            status, told = self.engine.answer(operation, {"RequestItems": {table: part}})
        left = {"Keys": all_of_it[some:]} if is_read else all_of_it[some:]
        told["UnprocessedKeys" if is_read else "UnprocessedItems"] = {table: left}
        return status, told

    def _of_stream(
        self, operation: str, request: dict[str, Any], fate: Fate | None
    ) -> tuple[int, dict[str, Any]]:
        shards = self.engine.shards
        try:
            if operation == "DescribeStream":
                return 200, {"StreamDescription": {"Shards": shards.describe()}}
            if operation == "GetShardIterator":
                return 200, {"ShardIterator": shards.iterator(request, clock.now)}
            iterator, limit = request["ShardIterator"], int(request["Limit"])
            if fate is Fate.REPEATED:
                shard, after, made = iterator.split("|")
                again = max(int(after) - self.chance.randint(1, 12), shards.by_id[shard].dropped)
                iterator = f"{shard}|{again}|{made}"
            if self.chance.random() < 0.2:
                limit = self.chance.randint(1, 30)
            records, following = shards.read(iterator, clock.now, limit=limit)
        except StreamRefusal as refused:
            return _refused(refused.code)
        answer: dict[str, Any] = {"Records": records}
        if following:
            answer["NextShardIterator"] = following
        return 200, answer

    # Chance

    def _fate(self, sent: Sent, task: Task) -> Fate | None:
        if self.chance.random() >= self.faults:
            return None
        (fate,) = self.chance.choices(FATES, FATE_WEIGHTS)
        if not _befalls(fate, sent.operation, sent.request):
            return None
        self._count(fate, sent)
        return fate

    def _count(self, fate: Fate, sent: Sent) -> None:
        self.counted[fate] += 1
        if self.said and sent.task:
            self.said(f"{fate}: {sent.operation} of {sent.task.process.name}, {sent.task.name}")

    def _note(self, sent: Sent, said: bytes) -> None:
        """The history of the run: what came to the engine, when, and what it said."""
        if (
            self.watched
            and sent.task
            and _writes(sent.operation, {})
            and self.watched in (asked := orjson.dumps(sent.request).decode())
        ):
            by = f"{sent.task.process.name}, {sent.task.name}"
            self.tells(f"{clock.now:.4f} {by}: {sent.operation} {sent.status} {asked}")
        self.history.update(b"%.6f %s " % (clock.now, sent.operation.encode()))
        self.history.update(said)


def _puts(request: dict[str, Any]) -> set[tuple[str, str]]:
    """The places of what a BatchWriteItem puts."""
    puts = [
        one["PutRequest"]["Item"]
        for asked in request["RequestItems"].values()
        for one in asked
        if "PutRequest" in one
    ]
    return {(item["PK"]["S"], item["SK"]["S"]) for item in puts}


def _writes(operation: str, request: dict[str, Any]) -> bool:
    return operation in WRITES or operation in ("BatchWriteItem", "TransactWriteItems")


def _befalls(fate: Fate, operation: str, request: dict[str, Any]) -> bool:
    match fate:
        case Fate.CONFLICT:
            return operation in WRITES or operation == "TransactWriteItems"
        case Fate.UNPROCESSED:
            return operation in BATCHES
        case Fate.SHORT_PAGE:
            # A page may end before its limit only at 1 MB, and this table has small items: a filter or no limit.
            return operation == "Query" and "Limit" not in request
        case Fate.EXPIRED | Fate.REPEATED:
            return operation == "GetRecords"
        case Fate.FAILED_AFTER:
            return operation not in STREAM_READS
    return True


def _refused(code: str, status: int = 400, **more: Any) -> tuple[int, dict[str, Any]]:
    return status, Refusal(code, status, **more).body


# What the site and botocore take for a connection.


class Wire:
    """In the place of the site's own connections (`http_client.Wire`)."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def send(self, message: bytes) -> Any:
        head, _, body = message.partition(b"\r\n\r\n")
        at = head.index(b"DynamoDB_20120810.") + 18
        operation = head[at : head.index(b"\r", at)].decode()
        return self.network.send(operation, orjson.loads(body))

    def receive(self, sent: Any) -> bytes:
        try:
            self.network.receive(sent)
        except Lost:
            raise GivenUp("timeout") from None
        except Refused:
            raise GivenUp("connect") from None
        except Broken:
            raise GivenUp("broken") from None
        if sent.status != 200:
            raise GivenUp("status", sent.status, sent.body)
        body: bytes = sent.body
        return body

    def forget(self) -> None:
        pass


class _Body:
    def __init__(self, content: bytes) -> None:
        self.content = content

    def stream(self) -> Iterator[bytes]:
        yield self.content


class Session:
    """In the place of botocore's connections (`URLLib3Session`)."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        target = request.headers["X-Amz-Target"]
        operation = (target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
        try:
            sent = self.network.ask(operation, orjson.loads(request.body))
        except Lost:
            raise ReadTimeoutError(endpoint_url=request.url) from None
        except Refused:
            raise EndpointConnectionError(endpoint_url=request.url) from None
        except Broken:
            raise ConnectionClosedError(endpoint_url=request.url) from None
        return AWSResponse(request.url, sent.status, JSON, _Body(sent.body))

    def close(self) -> None:
        pass


class StreamClient:
    """In the place of botocore's client of the stream."""

    def __init__(self, network: Network) -> None:
        self.network = network

    def describe_stream(self, **request: Any) -> dict[str, Any]:
        return self._ask("DescribeStream", request)

    def get_shard_iterator(self, **request: Any) -> dict[str, Any]:
        return self._ask("GetShardIterator", request)

    def get_records(self, **request: Any) -> dict[str, Any]:
        return self._ask("GetRecords", request)

    def _ask(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        address = "http://simulated"
        try:
            sent = self.network.ask(operation, request)
        except Lost:
            raise ReadTimeoutError(endpoint_url=address) from None
        except Refused:
            raise EndpointConnectionError(endpoint_url=address) from None
        except Broken:
            raise ConnectionClosedError(endpoint_url=address) from None
        told: dict[str, Any] = sent.told
        if sent.status != 200:
            code = str(told["__type"]).rpartition("#")[2]
            raise ClientError({"Error": {"Code": code, "Message": code}}, operation)
        return told

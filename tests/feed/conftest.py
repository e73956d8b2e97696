"""What tests about posts share: the requests that reach DynamoDB, and timelines filled without the worker."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from accounts.people.viewer import Viewer
from relations.follows.writes import follow
from relations.suggested import look_for_people
from socialsite.streams.worker import Worker
from socialsite.table.connection import client
from tests.feed.timelines import fill_local, pull
from tests.looks import broken_invariants, drain
from tests.streams.crowd import open_home


@dataclass(slots=True)
class Request:
    """One request as it went to the engine, and the capacity that the engine says it took."""

    operation: str
    parameters: dict[str, Any]
    units: float = 0.0

    @property
    def keys(self) -> int:
        """How many items a batch asks for."""
        return sum(len(of["Keys"]) for of in self.parameters.get("RequestItems", {}).values())

    @property
    def is_consistent(self) -> bool:
        batches = self.parameters.get("RequestItems", {}).values()
        return any(part.get("ConsistentRead") for part in (self.parameters, *batches))


@dataclass(slots=True)
class Requests:
    made: list[Request]

    @property
    def operations(self) -> list[str]:
        return [request.operation for request in self.made]

    @property
    def units(self) -> list[float]:
        return [request.units for request in self.made]


@contextmanager
def listen() -> Iterator[Requests]:
    """Every request of every thread inside the block, as botocore sends it."""
    heard = Requests([])

    def start(params: dict[str, Any], model: Any, context: dict[str, Any], **_: Any) -> None:
        context["heard"] = Request(model.name, params)
        heard.made.append(context["heard"])

    def finish(parsed: dict[str, Any], context: dict[str, Any], **_: Any) -> None:
        capacity = parsed.get("ConsumedCapacity") or []
        entries = capacity if isinstance(capacity, list) else [capacity]
        context["heard"].units = sum(entry.get("CapacityUnits", 0.0) for entry in entries)

    events = client().meta.events
    events.register("before-parameter-build.dynamodb", start)
    events.register("after-call.dynamodb", finish)
    try:
        yield heard
    finally:
        events.unregister("before-parameter-build.dynamodb", start)
        events.unregister("after-call.dynamodb", finish)


@pytest.fixture
def requests_of() -> Callable[[], AbstractContextManager[Requests]]:
    """`with requests_of() as requests:` what the block asks of DynamoDB."""
    return listen


@pytest.fixture
def knows_bob(alice: Viewer, bob: Viewer, carol: Viewer) -> None:
    """Alice follows Carol, who follows Bob; both have posted."""
    follow(by=alice, user_id=carol.user_id)
    follow(by=carol, user_id=bob.user_id)
    for author in (bob, carol):
        fill_local(author.user_id, [datetime.now(UTC)])
    look_for_people(alice.user_id)


@pytest.fixture
def star(alice: Viewer, bob: Viewer, drain_stream: Callable[[], None]) -> Viewer:
    """Alice, whose posts are pulled, also by Bob. His timeline was merged."""
    pull(bob, alice)
    drain_stream()
    open_home(bob)
    drain_stream()
    return alice


# Fixtures of what authors change later.


@pytest.fixture
def broken(table) -> Callable[[], dict[str, list[str]]]:
    """What is not as it must be, once the worker has caught up."""
    worker = Worker()

    def look() -> dict[str, list[str]]:
        drain(worker)
        return broken_invariants()

    return look

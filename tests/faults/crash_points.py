"""Crash-point enumeration: die before and after every engine call of a scenario, restart, and look.

The idea is SQLite's: whatever can fail is made to fail at its first, second, third … call, until nothing is left to
fail. A crash is an exception that no handler of ours catches, raised from botocore's own events, so that between the
code under test and the engine nothing is replaced.
"""

import os
import random
import shutil
import socket
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Protocol

import pytest
from django.conf import settings
from django.test import override_settings

from socialsite.site_settings.site_setup import SiteRules
from socialsite.streams.lambda_handler import handle
from socialsite.streams.shards import Stream
from socialsite.streams.worker import Worker
from socialsite.table import ids
from socialsite.table.connection import client
from socialsite.table.schema import create_table
from tests.faults.stories import Scenario
from tests.kept import keep_site_rules
from tests.tables import use_table

LONG = os.environ.get("FAULTS") == "long"
SEED = int(os.environ.get("FAULTS_SEED", datetime.now(UTC).timetuple().tm_yday))
SHORT_FORM_TAKES_EVERY = 48  # n-th point of a scenario

NO_PROCESS = 2**31 - 1  # a process id above any that a system gives out

Moment = Literal["before", "after"]


class Crash(BaseException):
    """The process ends here: nothing catches it, `finally` blocks that call the engine are none of ours."""


@dataclass(frozen=True, slots=True)
class Point:
    """Before the n-th call reaches the engine, or after the engine did it and before the caller knows."""

    number: int
    moment: Moment


@dataclass(slots=True)
class Fuse:
    """Counts engine calls, and raises `Crash` at its point."""

    point: Point | None = None
    calls: int = 0
    is_blown: bool = False
    last: str = ""

    def before(self, event_name: str, **_: Any) -> None:
        self.calls += 1
        self.last = event_name.rsplit(".", 1)[-1]
        self._blow("before")

    def after(self, **_: Any) -> None:
        self._blow("after")

    def _blow(self, moment: Moment) -> None:
        if self.point == Point(self.calls, moment) and not self.is_blown:
            self.is_blown = True
            raise Crash


class Host(Protocol):
    """What runs the stream's handlers: our worker, or Lambda. `restart` is what follows a crash."""

    def drain(self) -> None: ...

    def restart(self) -> None: ...


@dataclass
class WorkerHost:
    """A worker of a process that is dead as soon as it crashed, then another one."""

    stream: Stream
    worker: Worker = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        mortal = f"{socket.gethostname()}:{NO_PROCESS}:{ids.new_id()}"
        self.worker = Worker(worker_id=mortal, stream=self.stream)

    def drain(self) -> None:
        self.worker.drain()


@dataclass
class LambdaHost:
    """Lambda keeps the place itself, and delivers a batch again whose function died."""

    stream: Stream
    position: str = ""
    batch: int = 7  # odd, so that deliveries after a crash are cut in other places

    def restart(self) -> None:
        self.batch = 5

    def drain(self) -> None:
        shard = self.stream.shards()[0].shard_id
        while True:
            records, _ = self.stream.read(self.stream.iterator(shard, self.position))
            if not records:
                return
            for start in range(0, len(records), self.batch):
                part = records[start : start + self.batch]
                assert handle({"Records": part}) == {"batchItemFailures": []}
                self.position = part[-1]["dynamodb"]["SequenceNumber"]


HOSTS: dict[str, Callable[[Stream], Host]] = {"worker": WorkerHost, "lambda": LambdaHost}


@contextmanager
def fresh_table() -> Iterator[Stream]:
    """An empty table and its stream."""
    name = f"crash-{uuid.uuid4().hex[:16]}"
    use_table(name)
    create_table()
    shutil.rmtree(settings.DATA_DIR / "photos", ignore_errors=True)  # they belong to items
    try:
        yield Stream()
    finally:
        client().delete_table(TableName=name)


@contextmanager
def armed(stream: Stream, fuse: Fuse) -> Iterator[None]:
    """Every call of the block passes the fuse."""
    hooks = [
        (client().meta.events, "before-send.dynamodb", fuse.before),
        (client().meta.events, "after-call.dynamodb", fuse.after),
        (stream._client.meta.events, "before-send.dynamodb-streams", fuse.before),
        (stream._client.meta.events, "after-call.dynamodb-streams", fuse.after),
    ]
    for events, name, hook in hooks:
        events.register(name, hook)
    try:
        yield
    finally:
        for events, name, hook in hooks:
            events.unregister(name, hook)


@contextmanager
def stage(scenario: Scenario) -> Iterator[Stream]:
    """A table, an archive of its own, and the scenario's settings and sizes."""
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="socialsite-archive-") as folder,
        fresh_table() as stream,
    ):
        for path, value in scenario.constants.items():
            patch.setattr(path, value)
        archive = settings.STORAGES["archive"] | {
            "OPTIONS": {"location": folder, "allow_overwrite": True}
        }
        storages = settings.STORAGES | {"archive": archive}
        with override_settings(STORAGES=storages, **scenario.settings):
            yield stream


def play(scenario: Scenario, host_name: str, point: Point | None) -> Fuse:
    """Plays a scenario up to the point, crashes, restarts, plays it to its end and checks."""
    fuse = Fuse(point)
    with stage(scenario) as stream:
        story = scenario.prepare()
        keep_site_rules(SiteRules())  # a copy that runs out would be a call that not every play has
        host = HOSTS[host_name](stream)
        host.drain()
        acknowledged = False
        try:
            with armed(stream, fuse):
                story.act()
                acknowledged = True
                host.drain()
        except Crash:
            host.restart()
            if not acknowledged:
                story.act()
            host.drain()
        story.check()
    return fuse


def points_of(calls: int, rotation: int) -> list[Point]:
    """All points of that many calls; in the short form each n-th, others each day."""
    moments: tuple[Moment, Moment] = ("before", "after")
    points = [Point(number, moment) for number in range(1, calls + 1) for moment in moments]
    if LONG:
        return points
    start = random.Random(f"{SEED} {rotation}").randrange(SHORT_FORM_TAKES_EVERY)
    return points[start % len(points) :: SHORT_FORM_TAKES_EVERY]

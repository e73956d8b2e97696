"""Aimed freezes: a worker stands still between its check and the engine, while another does its work.

The first worker runs in a thread of its own and is held in botocore's event before its n-th call is sent, with all its
checks behind it. Meanwhile a second worker takes the lease and applies the same records, people change their minds, and
that is applied too. Then the call goes out.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from socialsite.streams import leases
from socialsite.streams.shards import Stream
from socialsite.streams.worker import Worker
from socialsite.table import ids
from socialsite.table.connection import client
from tests.faults.crash_points import Crash, stage
from tests.faults.looks import assert_all_is_well
from tests.faults.stories_of_freezes import Freeze

Waking = Literal["lives", "dies"]
SECONDS = 20


@dataclass
class IceBox:
    """Holds one thread before its n-th call to the engine, until it is told to thaw."""

    number: int
    dies: bool
    calls: int = 0
    operation: str = ""
    thread: threading.Thread | None = None
    frozen: threading.Event = field(default_factory=threading.Event)
    thawed: threading.Event = field(default_factory=threading.Event)

    def before_send(self, event_name: str, **_: Any) -> None:
        if threading.current_thread() is not self.thread:
            return
        self.calls += 1
        if self.calls == self.number:
            self.operation = event_name.rsplit(".", 1)[-1]
            self.frozen.set()
            assert self.thawed.wait(SECONDS), "was never thawed"
        elif self.calls > self.number and self.dies:
            raise Crash


@contextmanager
def put_in(box: IceBox, stream: Stream) -> Iterator[None]:
    hooks = [
        (client().meta.events, "before-send.dynamodb"),
        (stream._client.meta.events, "before-send.dynamodb-streams"),
    ]
    for events, name in hooks:
        events.register_last(name, box.before_send)
    try:
        yield
    finally:
        box.thawed.set()
        for events, name in hooks:
            events.unregister(name, box.before_send)


def worker_of(machine: str, stream: Stream) -> Worker:
    """A worker of another machine: nobody sees whether its process lives."""
    return Worker(worker_id=f"{machine}:1:{ids.new_id()}", stream=stream)


def play(freeze: Freeze, number: int, waking: Waking) -> IceBox:
    """Plays one freeze and checks. The box tells before which operation it was; of none, if there was no such call."""
    box = IceBox(number, dies=waking == "dies")
    with stage(freeze.scenario) as stream, pytest.MonkeyPatch.context() as patch:
        story = freeze.scenario.prepare()
        frozen, heir = worker_of("ant", stream), worker_of("bee", stream)
        frozen.drain()
        story.act()
        with put_in(box, stream):
            box.thread = threading.Thread(target=_drain, args=(frozen,), daemon=True)
            box.thread.start()
            while not box.frozen.wait(0.01):
                if not box.thread.is_alive():
                    return box
            patch.setattr(leases, "STEAL_AFTER", -1.0)
            heir.step()
            patch.setattr(leases, "STEAL_AFTER", 10.0)
            assert heir.readers, "the lease was not taken"
            heir.drain()
            story.change_of_mind()
            heir.drain()
            patch.setattr(leases, "BEAT_EVERY", 0.0)  # so much time has passed when it wakes
            box.thawed.set()
            box.thread.join(SECONDS)
            patch.setattr(leases, "BEAT_EVERY", 4.0)
            assert not box.thread.is_alive()
        if waking == "lives":
            frozen.step()
        else:
            for reader in heir.readers.values():
                reader.settled_at = float("-inf")
        heir.drain()
        story.check()
        assert_all_is_well()
    return box


def _drain(worker: Worker) -> None:
    with suppress(Crash):
        worker.drain()

"""Many shards, finished and open: each is asked as seldom as can be, several are read at once, and an empty answer is
not the end."""

import threading
import time
from typing import Any

from feed.likes.reads import get_like_count
from feed.likes.writes import like_post
from relations.follows.writes import follow
from socialsite.streams.models import Lease
from socialsite.streams.shards import Shard, Stream
from socialsite.streams.worker import Worker, bulk_load
from socialsite.table import create, get, keys
from tests.conftest import post
from tests.injected.fake_stream import FakeStream, by_partition
from tests.streams.crowd import home
from tests.streams.records import checkpoint, unread


class HesitantStream(Stream):
    """Answers with nothing twice before each answer, as Amazon may."""

    empty_answers = 3  # type: ignore[assignment]

    def __init__(self) -> None:
        self.asked = 0

    def read(self, iterator: str) -> tuple[list[dict[str, Any]], str | None]:
        self.asked += 1
        return super().read(iterator) if self.asked % 3 == 0 else ([], iterator)


class LongLivedStream(Stream):
    """The table's one shard behind forty that were read to their ends."""

    def shards(self) -> list[Shard]:
        finished = [Shard(f"shardId-finished-{number:012}", None) for number in range(40)]
        return [*finished, *super().shards()]


def test_an_empty_answer_is_not_the_end_for_a_drain(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    Worker(stream=HesitantStream()).drain()
    assert home(bob) == [post_id]


def test_an_empty_answer_is_not_the_end_for_a_bulk_load(alice, bob, monkeypatch):
    post_id = post(alice)
    monkeypatch.setattr("socialsite.streams.worker.Stream", HesitantStream)
    with bulk_load():
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    assert all(record["dynamodb"]["Keys"]["SK"]["S"] == "lease" for record in unread())


def test_shards_that_are_finished_are_asked_once(alice, measure):
    for shard in LongLivedStream().shards()[:40]:
        lease = Lease.new(shard_id=shard.shard_id)
        lease.is_done = 1
        create(lease)
    worker = Worker(stream=LongLivedStream())
    worker.drain()
    with measure() as meter:
        for _ in range(5):
            worker.step()
    assert [call.operation for call in meter.calls].count("GetItem") == 0


def test_the_lease_of_a_finished_shard_expires(alice):
    stream = FakeStream(by_partition("one"))
    stream.open("one")
    stream.pump()
    stream.close("one")
    Worker(stream=stream).drain()
    lease = get(Lease, keys.lease("one"))
    assert lease.is_done
    assert 6 < (lease.ttl.timestamp() - time.time()) / 86400 < 8


def test_a_worker_that_waits_looks_at_a_lease_ten_times_before_it_takes_it(alice, measure):
    Worker().step()
    waiting = Worker()
    waiting.step()
    with measure() as meter:
        for _ in range(5):
            waiting.step()
    assert not meter.calls


def test_shards_are_read_at_the_same_time(alice, bob, carol):
    stream = FakeStream(by_partition("one", "two"))
    stream.open("one"), stream.open("two")
    together = threading.Barrier(2, timeout=10)
    read = stream.read

    def read_together(iterator: str) -> Any:
        together.wait()
        return read(iterator)

    post_id = post(alice)
    for fan in (bob, carol):
        like_post(by=fan, post_id=post_id, author_id=alice.user_id)
    stream.pump()
    worker = Worker(stream=stream)
    worker.discover()
    for shard in worker.shards:
        worker.reader(shard)
    stream.read = read_together  # type: ignore[method-assign]
    worker.step()
    assert get_like_count(post_id) == 2
    assert checkpoint("one") or checkpoint("two")

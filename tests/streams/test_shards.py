"""Shards: parents before children, one owner each, gaps noted."""

import threading
import time
from typing import Any

from botocore.exceptions import ClientError

from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from operations import stream_handlers
from relations.follows.writes import follow, unfollow
from socialsite.streams import leases
from socialsite.streams.models import Lease
from socialsite.streams.status import read_worker_status
from socialsite.streams.worker import Worker, start_in_thread
from socialsite.table import get, keys
from tests.conftest import post
from tests.faults.processes import wait_until
from tests.streams.crowd import home
from tests.streams.records import unread
from tests.streams.split_stream import CHILD, PARENT, SplitStream


def lease_of(shard_id: str) -> Lease:
    return get(Lease, keys.lease(shard_id), consistent=True)


def split_here(**how: bool) -> SplitStream:
    """The stream splits behind what was written up to now."""
    return SplitStream(at=unread()[-1]["dynamodb"]["SequenceNumber"], **how)


def test_a_child_waits_until_its_parent_is_read_to_the_end(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    stream = split_here()
    unfollow(by=bob, user_id=alice.user_id)
    post(alice)
    worker = Worker(stream=stream)
    worker.step()
    assert lease_of(PARENT).is_done
    assert stream.read_from == [PARENT]
    worker.drain()
    worker.step()
    assert stream.read_from[-1] == CHILD
    assert home(bob) == []


def test_each_record_counts_once_over_a_split(alice, bob, carol):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    stream = split_here()
    like_post(by=carol, post_id=post_id, author_id=alice.user_id)
    unlike_post(by=bob, post_id=post_id)
    worker = Worker(stream=stream)
    for _ in range(3):
        worker.step()
    assert get_like_count(post_id) == 1
    assert not lease_of(CHILD).is_done


def test_a_second_worker_may_go_on_with_the_child(alice, bob, carol):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    stream = split_here()
    like_post(by=carol, post_id=post_id, author_id=alice.user_id)
    first = Worker(stream=stream)
    first.step()
    first.give_up()
    second = Worker(stream=split_here())
    second.stream = stream
    second.drain()
    second.step()
    assert get_like_count(post_id) == 2
    assert lease_of(CHILD).owner == second.worker_id


def test_a_child_whose_parent_the_stream_has_forgotten_is_read_at_once(alice, bob):
    post_id = post(alice)
    stream = split_here(knows_parent=False)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    Worker(stream=stream).drain()
    assert get_like_count(post_id) == 1


def test_a_silent_owner_loses_its_lease_and_a_beating_one_keeps_it(alice, bob, monkeypatch):
    monkeypatch.setattr(leases, "STEAL_AFTER", 0.05)
    monkeypatch.setattr(leases, "BEAT_EVERY", 0.0)
    owner, other = Worker(), Worker()
    for _ in range(3):
        owner.step()  # beats
        other.step()
        time.sleep(0.06)
    assert owner.readers
    assert not other.readers
    other.step()  # no beat since it looked last
    assert other.readers
    owner.step()
    assert not owner.readers


def test_two_workers_that_reach_for_a_free_lease_at_once_get_it_once(table):
    workers = [Worker() for _ in range(4)]
    threads = [threading.Thread(target=worker.step) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(bool(worker.readers) for worker in workers) == 1


def test_an_epoch_rises_with_each_owner_and_the_checkpoint_stays(alice):
    first = Worker()
    first.drain()
    shard_id = first.shards[0].shard_id
    before = lease_of(shard_id)
    first.give_up()
    assert lease_of(shard_id).owner is None
    Worker().step()
    after = lease_of(shard_id)
    assert (after.epoch, after.checkpoint) == (before.epoch + 1, before.checkpoint)


def test_a_gap_is_noted_and_reading_goes_on_until_the_job_has_mended_it(alice, bob, monkeypatch):
    monkeypatch.setattr(stream_handlers, "ITEMS_A_STEP", 5)
    worker = Worker()
    worker.drain()
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    next(iter(worker.readers.values())).iterator = None
    with trimmed(worker):
        worker.step()
    assert get_like_count(post_id) == 1
    assert read_worker_status().has_gap
    worker.drain()
    assert not read_worker_status().has_gap


class trimmed:  # noqa: N801 - reads as a phrase
    """The stream has forgotten the place at which this worker stands."""

    def __init__(self, worker: Worker) -> None:
        self.events = worker.stream._client.meta.events

    def __enter__(self) -> None:
        self.events.register("before-parameter-build.dynamodb-streams", self.refuse)

    def __exit__(self, *_: object) -> None:
        self.events.unregister("before-parameter-build.dynamodb-streams", self.refuse)

    def refuse(self, params: dict[str, Any], **_: object) -> None:
        if params.get("ShardIteratorType") == "AFTER_SEQUENCE_NUMBER":
            error = {"Error": {"Code": "TrimmedDataAccessException", "Message": "too old"}}
            raise ClientError(error, "GetShardIterator")


def test_a_worker_beside_a_web_server_gives_its_lease_up_when_told_to_stop(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    thread, stop = start_in_thread()
    post_id = post(alice)
    wait_until(lambda: home(bob) == [post_id], seconds=60)
    stop.set()
    thread.join(60)
    shard_id = Worker().stream.shards()[0].shard_id
    assert lease_of(shard_id).owner is None

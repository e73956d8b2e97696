"""Shards: parents before children, many of them, and gaps that are noticed and made up for."""

import logging
import threading
import time
from typing import Any

import pytest
from botocore.exceptions import ClientError

from accounts.models import UserCount
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from operations import stream_handlers
from relations.follows.writes import follow, unfollow
from socialsite.streams import leases, recounting
from socialsite.streams.models import JobKind, Lease
from socialsite.streams.shards import Shard, Stream, begin_reconciling
from socialsite.streams.status import read_worker_status
from socialsite.streams.worker import Worker, bulk_load, start_in_thread
from socialsite.table import change, create, get, keys
from socialsite.table.transport.client import _parse_fast
from tests.conftest import person, post
from tests.faults.processes import wait_until
from tests.injected.test_strange_streams import FakeStream, by_partition
from tests.looks import broken_invariants
from tests.streams.crowd import crowd, home, jobs
from tests.streams.records import CHILD, PARENT, SplitStream, checkpoint, unread
from tests.streams.test_lambda import worked


def lease_of(shard_id: str) -> Lease:
    return get(Lease, keys.lease(shard_id), consistent=True)


def image(record: dict[str, Any]) -> dict[str, Any]:
    return record["dynamodb"].get("NewImage", {})


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


def test_a_record_is_what_botocore_makes_of_it_but_for_its_moment(alice, bob):
    """Data keys are binary, names have characters of all lengths."""
    person("chen", "陈 \U0001f600")
    stream = Stream()
    events, hook = stream._client.meta.events, "before-parse.dynamodb-streams.GetRecords"
    (shard,) = stream.shards()
    ours, _ = stream.read(stream.iterator(shard.shard_id, ""))
    events.unregister(hook, _parse_fast)
    theirs, _ = stream.read(stream.iterator(shard.shard_id, ""))
    events.register(hook, _parse_fast)
    for record in theirs:
        data = record["dynamodb"]
        data["ApproximateCreationDateTime"] = data["ApproximateCreationDateTime"].timestamp()
    assert theirs == ours
    assert any(isinstance(value.get("B"), bytes) for one in ours for value in image(one).values())


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


# Many shards, finished and open: each is asked as seldom as can be, several are read at once, and an empty answer
# is not the end.


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


# Records that the stream forgot unread: the worker notices by itself, and makes up for them while people go on.


class ForgetfulStream(Stream):
    """A stream that has forgotten its oldest records, and says nothing of it."""

    def __init__(self, forgotten: int) -> None:
        self.forgotten = forgotten

    def read(self, iterator):
        records, following = super().read(iterator)
        kept = [one for one in records if int(one["dynamodb"]["SequenceNumber"]) > self.forgotten]
        return kept, following


def newest() -> str:
    return unread()[-1]["dynamodb"]["SequenceNumber"]


def test_what_was_trimmed_while_everything_was_off_is_made_up_for_without_anybody(
    alice, bob, carol, monkeypatch
):
    follow(by=carol, user_id=alice.user_id)
    liked = post(alice)
    worked()
    unfollow(by=carol, user_id=alice.user_id)
    follow(by=bob, user_id=alice.user_id)
    lost = post(alice)
    like_post(by=bob, post_id=liked, author_id=alice.user_id)
    person("dora")
    stream = ForgetfulStream(int(newest()))
    monkeypatch.setattr(recounting, "_stream", lambda table: stream)
    worker = Worker(stream=stream)
    person("eve")
    worker.drain()
    assert home(bob) == [lost, liked]
    assert home(carol) == []
    assert get_like_count(liked) == 1
    assert broken_invariants() == {}
    assert not read_worker_status().has_gap
    assert not jobs(JobKind.RECONCILE)


def test_a_worker_that_finds_its_place_sees_no_gap(alice, bob):
    worked()
    post(alice)
    worker = Worker()
    worker.step()
    assert not read_worker_status().has_gap
    assert not jobs(JobKind.RECONCILE)


def test_a_shard_whose_parent_was_forgotten_before_anybody_read_it_is_a_gap(alice, bob, caplog):
    stream = SplitStream(at=newest(), knows_parent=False)
    post(alice)
    Worker(stream=stream).step()
    assert "were trimmed unread: reconciling" in caplog.text


def test_a_second_gap_lets_the_job_begin_again(alice, monkeypatch):
    monkeypatch.setattr(stream_handlers, "ITEMS_A_STEP", 5)
    worker = Worker()
    worker.drain()
    begin_reconciling()
    worker.step()
    (job,) = jobs(JobKind.RECONCILE)
    assert job.cursor
    begin_reconciling()
    (job,) = jobs(JobKind.RECONCILE)
    assert not job.cursor
    worker.drain()
    assert not jobs(JobKind.RECONCILE)


def test_what_it_sets_right_is_logged(alice, caplog):
    worker = Worker()
    worker.drain()
    change(UserCount, keys.user_count(alice.user_id), [UserCount.posts.set(7)])
    begin_reconciling()
    with caplog.at_level(logging.INFO, "operations.stream_handlers"):
        worker.drain()
    assert "posts: 7 → 0" in caplog.text


@pytest.mark.parametrize("lost", [0, 3])
def test_likes_that_the_worker_has_yet_to_count_are_left_to_it(alice, bob, lost):
    post_id = post(alice)
    worked()
    with bulk_load():
        for fan in crowd(lost):
            like_post(by=fan, post_id=post_id, author_id=alice.user_id)
    worker = Worker()
    worker.drain()
    begin_reconciling()
    fans = [person(f"late_{number}") for number in range(3)]
    for fan in fans:
        like_post(by=fan, post_id=post_id, author_id=alice.user_id)
    unlike_post(by=fans[0], post_id=post_id)
    worker.drain()
    assert get_like_count(post_id) == lost + 2


def test_a_gap_that_somebody_noted_on_a_lease_is_closed_by_the_job(alice):
    worker = Worker()
    worker.drain()
    change(Lease, keys.lease(worker.shards[0].shard_id), [Lease.has_gap.set(1)])
    begin_reconciling()
    worker.drain()
    assert not read_worker_status().has_gap

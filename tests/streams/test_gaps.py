"""Records that the stream forgot unread: the worker notices by itself, and makes up for them while people go on."""

import logging

import pytest

from accounts.models import UserCount
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from operations import stream_handlers
from relations.follows.writes import follow, unfollow
from socialsite.streams import recounting
from socialsite.streams.models import JobKind, Lease
from socialsite.streams.shards import Stream, begin_reconciling
from socialsite.streams.status import read_worker_status
from socialsite.streams.worker import Worker, bulk_load
from socialsite.table import change, keys
from tests.conftest import person, post
from tests.looks import broken_invariants
from tests.streams.crowd import crowd, home, jobs
from tests.streams.records import unread
from tests.streams.split_stream import SplitStream


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


def worked() -> None:
    worker = Worker()
    worker.drain()
    worker.give_up()


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

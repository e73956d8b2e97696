"""Orders of events that hardly ever happen, and must come out right all the same."""

import pytest

from accounts.people.viewer import Viewer
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post
from feed.posts.models import LikeCount
from feed.publishing.writes import delete_post
from relations.follows.writes import follow
from socialsite.streams.dispatch import redrive
from socialsite.streams.ledger import CheckpointProof, Ledger
from socialsite.streams.models import Job, JobKind, Lease
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import get, keys
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, timeline_of
from tests.looks import broken_invariants


def test_a_like_that_crosses_a_deletion_is_cleared_in_one_batch_with_an_older_like(
    alice: Viewer, bob: Viewer, carol: Viewer
) -> None:
    """One like goes and one comes: the counter's change is zero, and the counter is gone all the same."""
    worker = Worker()
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    worker.drain()
    delete_post(by=alice, post_id=post_id)
    worker.step()  # clears bob's like, which is a record of the next batch
    like_post(by=carol, post_id=post_id, author_id=alice.user_id)
    worker.drain()
    assert broken_invariants() == {}


def test_a_commit_beside_a_job_that_is_there_counts_and_moves_the_checkpoint(alice: Viewer) -> None:
    post_id = post(alice)
    worker = Worker()
    worker.drain()
    held = next(iter(worker.readers.values())).lease
    job = {"kind": JobKind.FAN_OUT, "job_id": post_id, "subject_id": post_id}
    before = held.checkpoint
    for number in (1, 2):
        ledger = Ledger()
        ledger.create(Job.new(**job))
        key = keys.like_count(post_id)
        ledger.add(LikeCount, key, LikeCount.likes, 1, if_gone=lambda: None)
        after = f"{number:021}"
        ledger.commit(CheckpointProof(held.shard_id, held.epoch, before, after))
        lease = get(Lease, keys.lease(held.shard_id), consistent=True)
        assert lease.checkpoint == after
        assert get_like_count(post_id) == number
        before = after


@pytest.mark.parametrize("followers", [1, 3])
def test_a_parked_fan_out_is_made_up_for_by_a_redrive(
    alice: Viewer, settings, followers: int
) -> None:
    """At once or by a job: what a parked record would have done, a redrive does."""
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 1, 2
    fans = [person(f"fan_{number}") for number in range(followers)]
    for fan in fans:
        follow(by=fan, user_id=alice.user_id)
    worker = Worker()
    worker.drain()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("feed.timelines.fan_out_stream.timedelta", None)  # nobody can be reached
        post_id = post(alice)
        worker.drain()
    letters = list_dead_letters()
    assert len(letters) == 1
    assert [redrive(letter) for letter in letters] == [True]
    worker.drain()
    assert [timeline_of(fan) for fan in fans] == [[post_id]] * followers
    assert_all_is_well()

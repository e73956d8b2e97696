"""The worker: each record counts once, whoever works; its handlers, its lease, and its suspects."""

import socket
import subprocess
import sys

import pytest
from django.conf import settings

from accounts.models import HandleClaim
from feed.home.reads import get_timeline
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from feed.posts.models import LikeCount
from feed.publishing.writes import delete_post
from relations.follows.writes import follow, unfollow
from socialsite.streams.leases import BEAT_EVERY, HeldLease, LeaseWatch, NotOurs
from socialsite.streams.ledger import CheckpointProof, LeaseLost, Ledger
from socialsite.streams.models import Lease
from socialsite.streams.worker import StreamInUse, Worker, bulk_load
from socialsite.table import NotFound, change, create, get, keys, query, write_batch
from socialsite.table.actions import fenced
from tests.conftest import person, post


def shard_of(worker: Worker) -> str:
    return worker.stream.shards()[0].shard_id


def test_a_like_is_counted_by_the_worker_alone_and_once(alice, bob, drain_stream):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    assert get_like_count(post_id) == 0
    drain_stream()
    drain_stream()
    assert get_like_count(post_id) == 1


def test_many_likes_are_one_write_of_the_counter(alice, drain_stream, measure):
    post_id = post(alice)
    fans = [person(f"fan_{number}") for number in range(12)]
    drain_stream()
    for fan in fans:
        like_post(by=fan, post_id=post_id, author_id=alice.user_id)
    with measure() as meter:
        drain_stream()
    assert get_like_count(post_id) == 12
    assert [call.operation for call in meter.calls].count("TransactWriteItems") == 1


def test_a_like_and_its_withdrawal_cancel_out(alice, bob, drain_stream):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    unlike_post(by=bob, post_id=post_id)
    drain_stream()
    assert get_like_count(post_id) == 0


def test_a_worker_that_starts_over_from_its_checkpoint_counts_nothing_twice(alice, bob):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    first = Worker()
    first.drain()
    first.give_up()
    Worker().drain()
    assert get_like_count(post_id) == 1


def test_a_second_worker_does_nothing_while_the_first_holds_the_lease(alice, bob):
    first, second = Worker(), Worker()
    first.step()
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    second.drain()
    assert get_like_count(post_id) == 0
    first.drain()
    assert get_like_count(post_id) == 1


def test_an_owner_that_lost_its_lease_commits_nothing(alice, bob):
    post_id = post(alice)
    frozen = Worker()
    frozen.drain()
    shard_id = shard_of(frozen)
    lease = frozen.readers[shard_id].lease
    frozen.give_up()
    thief = Worker()
    thief.drain()
    ledger = Ledger()
    ledger.add(LikeCount, keys.like_count(post_id), LikeCount.likes, 5, if_gone=lambda: None)
    with pytest.raises(LeaseLost):
        ledger.commit(CheckpointProof(shard_id, lease.epoch, lease.checkpoint, "99999"))
    assert get_like_count(post_id) == 0


def test_a_dead_process_of_this_machine_gives_its_lease_up_at_once(alice):
    dead = Worker()
    host = dead.worker_id.rsplit(":", 2)[0]
    dead.worker_id = f"{host}:999999:X"  # above any process id that is in use
    dead.step()
    living = Worker()
    living.step()
    assert living.readers


def test_an_idle_worker_commits_nothing(table, measure):
    worker = Worker()
    worker.drain()
    with measure() as meter:
        worker.drain()
    assert not [call for call in meter.calls if not call.is_read]


def test_a_crash_between_effects_and_commit_loses_and_doubles_nothing(alice, bob, monkeypatch):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    dying = Worker()

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "commit", die)
    with pytest.raises(KeyboardInterrupt):
        dying.step()
    monkeypatch.undo()
    dying.give_up()
    Worker().drain()
    assert get_like_count(post_id) == 1
    assert [card.post_id for card in get_timeline(bob).items] == [post_id]


def test_deleting_a_liked_post_clears_its_likes_and_traces(alice, bob, drain_stream):
    post_id = post(alice)
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    assert not list(query(keys.likes(post_id)))
    assert not list(query(keys.like_trace(bob.user_id, post_id).pk))


def test_a_like_that_crossed_the_deletion_is_cleared_too(alice, bob, drain_stream):
    post_id = post(alice)
    drain_stream()
    delete_post(by=alice, post_id=post_id)
    drain_stream()
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    drain_stream()
    assert not list(query(keys.likes(post_id)))
    assert not list(query(keys.like_trace(bob.user_id, post_id).pk))


def test_a_post_reaches_followers_and_leaves_with_them(alice, bob, carol, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    drain_stream()
    assert [card.post_id for card in get_timeline(bob).items] == [post_id]
    assert not get_timeline(carol).items
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert not get_timeline(bob).items


def test_a_follow_backfills_the_newest_posts(alice, bob, drain_stream, settings):
    settings.BACKFILL_POSTS = 3
    posts = [post(alice, f"number {number}") for number in range(5)]
    drain_stream()
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert [card.post_id for card in get_timeline(bob).items] == posts[:1:-1]


def test_what_a_bulk_load_writes_is_not_handled(alice, bob):
    post_id = post(alice)
    with bulk_load():
        like_post(by=bob, post_id=post_id, author_id=alice.user_id)
    worker = Worker()
    worker.drain()
    assert get_like_count(post_id) == 0
    unlike_post(by=bob, post_id=post_id)
    worker.drain()
    assert get_like_count(post_id) == -1


def test_a_bulk_load_beside_a_worker_is_refused(table):
    Worker().step()
    with pytest.raises(StreamInUse), bulk_load():
        pass


def test_the_checkpoint_stands_at_the_last_record_with_effects(alice, drain_stream):
    post(alice)
    drain_stream()
    worker = Worker()
    lease = get(Lease, keys.lease(shard_of(worker)), consistent=True)
    assert int(lease.checkpoint) > 0


# A worker that runs alone has every handler: none waits until something else imports its file.

embedded_alone = pytest.mark.engines("embedded", reason="no table is asked")

CODE = """
import django; django.setup()
from importlib import import_module
from pkgutil import walk_packages

from django.conf import settings
from lens.patterns import WITHOUT_PATTERNS
from socialsite.due.work import WORK
from socialsite.streams.dispatch import handlers, load_handlers
from socialsite.streams.jobs import STEPS

def registered():
    return {name for name in (*map(str, handlers()), *WORK, *map(str, STEPS))}

load_handlers()
alone = registered()
for room in settings.ROOMS:
    for module in walk_packages(import_module(room).__path__, f"{room}."):
        if not module.name.endswith(WITHOUT_PATTERNS):
            import_module(module.name)
assert len(alone) > 100, len(alone)
print(sorted(registered() - alone))
"""


@embedded_alone
def test_a_worker_alone_hears_of_all_that_any_file_handles():
    found = subprocess.run(
        [sys.executable, "-c", CODE], cwd=settings.BASE_DIR, capture_output=True, text=True
    )
    assert found.stdout.strip() == "[]", found.stderr[-1000:] or found.stdout


# A worker that stood still past its lease asks for it again before each write, also in the middle of a record.

ITEM = HandleClaim.new(handle="late", user_id="late")


@pytest.fixture
def held(table: str) -> HeldLease:
    lease = LeaseWatch("shard", "ant:1:ant").try_take()
    assert lease is not None
    return lease


def stand_still(held: HeldLease) -> None:
    held.beaten_at -= BEAT_EVERY + 1


def test_the_owner_writes(held):
    stand_still(held)
    with fenced(held.fence()):
        write_batch(puts=[ITEM])
    assert get(HandleClaim, ITEM.key).user_id == "late"


def test_an_owner_whose_lease_was_taken_writes_no_batch(held):
    """A batch has no condition that could refuse it."""
    stand_still(held)
    change(Lease, keys.lease("shard"), [Lease.epoch.add(1)])
    with fenced(held.fence()), pytest.raises(NotOurs):
        write_batch(puts=[ITEM])
    with pytest.raises(NotFound):
        get(HandleClaim, ITEM.key)


# When a lease is taken, its last owner is suspected of late writes, and so are those before who may still live.

SHARD = "shard-1"
LONG_AGO, LATELY = "2026-01-02T03:04:05+00:00", "2026-11-02T03:04:05+00:00"
ELSEWHERE = "another-host:1:x"


def dead(number: int) -> str:
    """A worker of this machine whose process has ended: no process has so high a number."""
    return f"{socket.gethostname()}:{2**22 + number}:x"


@pytest.fixture
def lease(table) -> None:
    """The lease of a dead owner, who was suspected of nothing yet."""
    create(Lease.new(shard_id=SHARD))
    owned = [Lease.owner.set(dead(0)), Lease.beaten_at.set(LATELY)]
    change(Lease, keys.lease(SHARD), owned)


def taken() -> Lease:
    assert LeaseWatch(SHARD, "me:1:x").try_take()
    return get(Lease, keys.lease(SHARD), consistent=True)


def test_the_dead_make_room_and_what_they_sent_stays_to_be_settled(lease):
    suspects = {ELSEWHERE, *map(dead, range(1, 300))}
    suspected = [Lease.suspects.set(suspects), Lease.suspected_since.set(LONG_AGO)]
    change(Lease, keys.lease(SHARD), suspected)
    now = taken()
    assert now.suspects == {ELSEWHERE, dead(0)}
    assert now.suspected_since == LONG_AGO


def test_a_suspicion_that_is_over_is_not_taken_up_again(lease):
    change(Lease, keys.lease(SHARD), [Lease.suspected_since.set(LONG_AGO)])
    now = taken()
    assert now.suspects == {dead(0)}
    assert now.suspected_since == LATELY

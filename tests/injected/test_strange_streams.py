"""Streams as Amazon's may be: shards that split and merge, iterators that expire, records trimmed, late or twice."""

import random
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.people.viewer import Viewer
from feed.home.reads import get_timeline
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post, unlike_post
from feed.publishing.writes import delete_post
from relations.follows.writes import follow, unfollow
from relations.reads import list_following
from socialsite.streams.models import Lease
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table import get, keys
from tests.conftest import person, post
from tests.injected.fake_stream import FakeStream, by_partition
from tests.injected.rotation import IS_LONG, SEED
from tests.injected.rounds import Rounds
from tests.looks import broken_invariants

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def stream(table: str) -> FakeStream:
    """One open shard, named as the table's own, so that `/readyz` looks at its lease."""
    stream = FakeStream(route=lambda record: "")
    shard = stream.open(stream.real.shards()[0].shard_id)
    stream.route = by_partition(shard.shard_id)
    return stream


def shard_of(stream: FakeStream) -> str:
    return next(iter(stream.shards_by_id))


def work(worker: Worker, stream: FakeStream) -> None:
    """Until nothing is left in any shard."""
    quiet = 0
    while quiet < 3:
        worker.discovered_at = None
        worker.run(Rounds(5))
        quiet = 0 if stream.pump() else quiet + 1


def like(fan: Viewer, author: Viewer, post_id: str) -> None:
    like_post(by=fan, post_id=post_id, author_id=author.user_id)


def timeline(viewer: Viewer) -> list[str]:
    return [card.post_id for card in get_timeline(viewer).items]


def test_the_children_of_a_split_shard_are_read_after_it(alice, bob, carol, stream):
    parent = shard_of(stream)
    post_id = post(alice)
    like(bob, alice, post_id)
    stream.pump()
    stream.close(parent)
    for child in ("left", "right"):
        stream.open(child, parent)
    stream.route = by_partition("left", "right")
    unlike_post(by=bob, post_id=post_id)
    like(carol, alice, post_id)
    follow(by=bob, user_id=alice.user_id)
    stream.pump()
    work(Worker(stream=stream), stream)
    first_child = next(n for n, name in enumerate(stream.read_log) if name != parent)
    assert parent not in stream.read_log[first_child:]
    assert get_like_count(post_id) == 1
    assert timeline(bob) == [post_id]
    assert get(Lease, keys.lease(parent)).is_done


def test_the_child_of_two_merged_shards_is_read_after_the_parent_it_names(alice, bob, stream):
    parent = shard_of(stream)
    stream.open("other")
    stream.route = by_partition(parent, "other", seed=3)
    post_id = post(alice)
    like(bob, alice, post_id)
    stream.pump()
    stream.close(parent, "other")
    stream.open("merged", parent)
    stream.route = by_partition("merged")
    unlike_post(by=bob, post_id=post_id)
    work(Worker(stream=stream), stream)
    merged = stream.read_log.index("merged")
    assert parent not in stream.read_log[merged:]
    assert get_like_count(post_id) == 0
    assert broken_invariants() == {}


def test_a_child_whose_parent_the_stream_has_forgotten_is_read(alice, bob, stream):
    stream.shards_by_id[shard_of(stream)].is_listed = False
    stream.open("child", shard_of(stream))
    stream.route = by_partition("child")
    post_id = post(alice)
    like(bob, alice, post_id)
    work(Worker(stream=stream), stream)
    assert get_like_count(post_id) == 1


@pytest.mark.parametrize("times", [1, 3])
def test_an_expired_iterator_is_renewed_where_it_was(alice, bob, stream, times):
    post_id = post(alice)
    worker = Worker(stream=stream)
    work(worker, stream)
    like(bob, alice, post_id)
    stream.pump()
    stream.expire_next = times
    work(worker, stream)
    assert get_like_count(post_id) == 1


def lose_a_like(alice: Viewer, bob: Viewer, carol: Viewer, stream: FakeStream) -> str:
    """Bob's like is trimmed before anyone read it; carol's comes after."""
    post_id = post(alice)
    worker = Worker(stream=stream)
    work(worker, stream)
    like(bob, alice, post_id)
    stream.pump()
    stream.trim(shard_of(stream))
    like(carol, alice, post_id)
    stream.pump()
    worker.step()
    worker.give_up()
    return post_id


def gap() -> bool:
    return bool(Client().get("/readyz").json()["worker"]["gap"])


def test_records_trimmed_unread_are_a_gap_that_readyz_shows(alice, bob, carol, stream):
    post_id = lose_a_like(alice, bob, carol, stream)
    assert get_like_count(post_id) == 1
    assert get(Lease, keys.lease(shard_of(stream))).has_gap
    assert gap()
    assert Client().get("/readyz").json()["status"] == "degraded"


def test_what_was_lost_is_made_up_for_by_a_job_that_begins_by_itself(alice, bob, carol, stream):
    post_id = lose_a_like(alice, bob, carol, stream)
    work(Worker(stream=stream), stream)
    assert get_like_count(post_id) == 2
    assert not gap()
    assert broken_invariants() == {}


def test_records_trimmed_between_iterator_and_read_are_a_gap_too(alice, bob, stream):
    post_id = post(alice)
    worker = Worker(stream=stream)
    stream.pump()
    worker.step()  # holds an iterator
    like(bob, alice, post_id)
    stream.pump()
    stream.trim(shard_of(stream))
    for _ in range(2):
        worker.step()
    assert gap()


def test_reconcile_counts_anew_what_was_lost(alice, bob, carol, stream):
    post_id = lose_a_like(alice, bob, carol, stream)
    assert get_like_count(post_id) == 1
    call_command("reconcile", stdout=StringIO())  # the job that the gap began comes first
    assert get_like_count(post_id) == 2
    assert broken_invariants() == {}


def test_after_reconcile_there_is_no_gap_any_more(alice, bob, carol, stream):
    lose_a_like(alice, bob, carol, stream)
    call_command("reconcile", stdout=StringIO())
    assert not gap()


def test_a_record_that_the_stream_repeats_counts_once(alice, bob, stream):
    post_id = post(alice)
    worker = Worker(stream=stream)
    work(worker, stream)
    like(bob, alice, post_id)
    stream.pump()
    records = stream.shards_by_id[shard_of(stream)].records
    records += records[-3:]
    work(worker, stream)
    assert get_like_count(post_id) == 1


@pytest.mark.parametrize("number", range(60 if IS_LONG else 4))
def test_the_order_of_different_items_does_not_matter(table, stream, number):
    """Partitions lie on four shards that are read unevenly; what belongs to one item stays in order."""
    chance = random.Random(f"{SEED} {number}")
    print(f"FAULTS_SEED={SEED}")
    people = [person(name) for name in ("alice", "bob", "carol")]
    shards = [shard_of(stream), "second", "third", "fourth"]
    for shard_id in shards[1:]:
        stream.open(shard_id)
    stream.route = by_partition(*shards, seed=chance.randrange(1000))
    stream.most_a_read = lambda: chance.choice((0, 1, 2, 50))
    worker = Worker(stream=stream)
    posts: dict[str, Viewer] = {}
    for _ in range(30):
        one, other = chance.sample(people, 2)
        what = chance.choice(("post", "post", "follow", "follow", "unfollow", "like", "delete"))
        if what == "post":
            posts[post(one)] = one
        elif what == "follow":
            follow(by=one, user_id=other.user_id)
        elif what == "unfollow":
            unfollow(by=one, user_id=other.user_id)
        elif posts:
            post_id = chance.choice(list(posts))
            if what == "like":
                like(one, posts[post_id], post_id)
            else:
                delete_post(by=posts.pop(post_id), post_id=post_id)
        if chance.random() < 0.3:
            stream.pump()
            worker.run(Rounds(chance.randrange(1, 4)))
    stream.most_a_read = lambda: 1000
    work(worker, stream)
    assert broken_invariants() == {}
    assert list_dead_letters() == []
    for reader in people:
        authors = {reader.user_id, *followed_by(reader)}
        expected = [post_id for post_id, author in posts.items() if author.user_id in authors]
        assert timeline(reader) == sorted(expected, reverse=True)


def followed_by(viewer: Viewer) -> set[str]:
    return {card.user_id for card in list_following(viewer.user_id).items}

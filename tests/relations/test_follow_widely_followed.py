"""Above `PULL_ABOVE` followers the stream worker counts them: follows touch nothing that others' follows touch."""

import random
import threading
from functools import partial

import pytest

from accounts.models import UserCount, UserInfo
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from relations.blocks.writes import block, unblock
from relations.checks import mend_follower_count
from relations.follows.writes import (
    WORKER,
    Locked,
    accept_follow_request,
    follow,
    let_worker_count,
    remove_follower,
    request_follow,
    unfollow,
)
from relations.models import Following
from relations.relation import Blocked
from socialsite.streams.lambda_handler import handle
from socialsite.streams.worker import POLL_EVERY, Worker
from socialsite.table import Conflict, Item, NotFound, Unavailable, change, fetch, keys, query
from tests.conftest import person
from tests.faults.crash_points import LONG
from tests.looks import broken_invariants
from tests.streams.crowd import crowd, gather
from tests.streams.records import event, everything, handle_all, lines, unread
from tests.together import together

FEW = 2


@pytest.fixture
def few(settings) -> None:
    settings.PULL_ABOVE = FEW


@pytest.fixture
def star(alice, worker) -> Viewer:
    """Alice, whom one person more than `PULL_ABOVE` follows; their transactions counted them."""
    gather(crowd(FEW + 1), alice)
    worker.drain()
    return alice


def followers(one: Viewer) -> int:
    return int(get_user_info(one.user_id).followers or 0)


def counted_by(follower: Viewer, followed: Viewer) -> str | None:
    key = keys.following(follower.user_id, followed.user_id)
    edge = Item.from_raw_data(fetch([key], consistent=True)[key])
    assert isinstance(edge, Following)
    return edge.counted_by


def lock(one: Viewer) -> None:
    change(UserInfo, keys.user_info(one.user_id), [UserInfo.locked.set("yes")])


@pytest.mark.usefixtures("few")
def test_at_the_limit_the_transaction_counts(alice, bob, carol, worker):
    gather([bob, carol], alice)
    assert followers(alice) == FEW
    follow(by=person("dora"), user_id=alice.user_id)
    assert followers(alice) == FEW + 1
    worker.drain()
    assert followers(alice) == FEW + 1
    assert counted_by(bob, alice) is None


@pytest.mark.usefixtures("few")
def test_above_it_the_worker_counts(star, bob, worker):
    follow(by=bob, user_id=star.user_id)
    assert followers(star) == FEW + 1
    assert get_user_info(bob.user_id).following == 1
    assert counted_by(bob, star) == WORKER
    worker.drain()
    assert followers(star) == FEW + 2
    unfollow(by=bob, user_id=star.user_id)
    assert followers(star) == FEW + 2
    worker.drain()
    assert followers(star) == FEW + 1
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("hint", [True, False])
def test_what_the_caller_saw_decides_nothing(alice, bob, carol, worker, hint):
    """A count that was read a moment ago may be of either side of the limit."""
    for one in (bob, carol):
        follow(by=one, user_id=alice.user_id, is_widely_followed=hint)
    unfollow(by=bob, user_id=alice.user_id, is_widely_followed=not hint)
    worker.drain()
    assert followers(alice) == 1
    unfollow(by=carol, user_id=alice.user_id, is_widely_followed=not hint)
    worker.drain()
    assert followers(alice) == 0
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
def test_follows_of_before_the_crossing_end_by_the_worker(alice, bob, worker):
    """Also all edges that older versions of the site wrote: they do not say who counts."""
    follow(by=bob, user_id=alice.user_id)
    gather(crowd(FEW), alice)
    worker.drain()
    assert unfollow(by=bob, user_id=alice.user_id)
    assert followers(alice) == FEW + 1
    worker.drain()
    assert followers(alice) == FEW
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
def test_an_end_that_is_handed_over_before_its_beginning_was_heard_counts_once(star, bob, worker):
    follow(by=bob, user_id=(other := person("eve")).user_id)
    let_worker_count(bob.user_id, other.user_id)
    unfollow(by=bob, user_id=other.user_id)
    worker.drain()
    assert followers(other) == 0


@pytest.mark.usefixtures("few")
def test_below_the_limit_again_each_edge_ends_as_it_says(star, bob, carol, worker):
    gather([bob, carol], star)
    worker.drain()
    fans = [row["follower_id"]["S"] for row in query(keys.followers(star.user_id))]
    early = [Viewer(one) for one in fans if one not in (bob.user_id, carol.user_id)]
    for one in early:
        unfollow(by=one, user_id=star.user_id)
        worker.drain()
    assert followers(star) == 2
    follow(by=early[0], user_id=star.user_id)
    assert (followers(star), counted_by(early[0], star)) == (3, None)
    unfollow(by=bob, user_id=star.user_id)
    worker.drain()
    unfollow(by=early[0], user_id=star.user_id)
    assert followers(star) == 1
    worker.drain()
    assert followers(star) == 1
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("times", [2, 3])
def test_doing_it_again_changes_nothing(star, bob, worker, times):
    for _ in range(times):
        follow(by=bob, user_id=star.user_id)
    worker.drain()
    assert followers(star) == FEW + 2
    assert [unfollow(by=bob, user_id=star.user_id) for _ in range(times)] == [
        True,
        *[False] * (times - 1),
    ]
    worker.drain()
    assert followers(star) == FEW + 1


@pytest.mark.usefixtures("few")
def test_a_follower_is_removed_the_same_way(star, bob, worker):
    follow(by=bob, user_id=star.user_id)
    worker.drain()
    remove_follower(by=star, user_id=bob.user_id)
    worker.drain()
    assert followers(star) == FEW + 1
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("blocker", ["star", "follower"])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_block_ends_it_the_same_way(alice, bob, worker, blocker, when):
    if when == "before":
        follow(by=bob, user_id=alice.user_id)
    gather(crowd(FEW + 1), alice)
    if when == "after":
        follow(by=bob, user_id=alice.user_id)
    worker.drain()
    assert followers(alice) == FEW + 2
    by, other = (alice, bob) if blocker == "star" else (bob, alice)
    block(by=by, user_id=other.user_id)
    assert followers(alice) == FEW + 2
    worker.drain()
    assert followers(alice) == FEW + 1
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
def test_a_request_that_is_accepted_is_counted_the_same_way(star, bob, worker):
    lock(star)
    request_follow(by=bob, user_id=star.user_id)
    accept_follow_request(by=star, user_id=bob.user_id)
    assert (followers(star), counted_by(bob, star)) == (FEW + 1, WORKER)
    worker.drain()
    assert followers(star) == FEW + 2
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("hint", [True, False])
def test_a_locked_one_is_asked_and_nobody_is_not_there(star, bob, hint):
    lock(star)
    with pytest.raises(Locked):
        follow(by=bob, user_id=star.user_id, is_widely_followed=hint)
    with pytest.raises(NotFound):
        follow(by=bob, user_id="nobody", is_widely_followed=hint)
    assert not list(query(keys.followings(bob.user_id)))


@pytest.mark.usefixtures("few")
def test_a_batch_handled_twice_enters_the_same(star, bob, carol, worker):
    follow(by=bob, user_id=star.user_id)
    follow(by=carol, user_id=star.user_id)
    unfollow(by=bob, user_id=star.user_id)
    records = unread()
    first, done = handle_all(records), everything()
    assert lines(handle_all(records)) == lines(first)
    assert everything() == done
    assert any(line.endswith("follower# 1") for line in lines(first))


@pytest.mark.usefixtures("few")
def test_under_lambda_a_batch_that_comes_again_counts_once(alice, bob, carol):
    early = gather(crowd(FEW + 1), alice)
    gather([bob, carol], alice)
    for one in (early[0], bob):
        unfollow(by=one, user_id=alice.user_id)
    batch = event(unread())
    for _ in range(3):
        assert handle(batch) == {"batchItemFailures": []}
    assert followers(alice) == FEW + 1
    assert broken_invariants() == {}


@pytest.mark.usefixtures("few")
def test_reconcile_leaves_what_the_worker_has_yet_to_count(star, bob, carol, worker):
    """It runs as a job while people go on."""
    follow(by=bob, user_id=star.user_id)
    follow(by=carol, user_id=star.user_id)
    unfollow(by=bob, user_id=star.user_id)
    assert not list(mend_follower_count(star.user_id))
    assert followers(star) == FEW + 1
    change(UserCount, keys.user_count(star.user_id), [UserCount.followers.set(77)])
    assert len(list(mend_follower_count(star.user_id))) == 1
    assert followers(star) == FEW + 1
    worker.drain()
    assert followers(star) == FEW + 2
    assert broken_invariants() == {}


# While the count of followers crosses the limit to and fro, people follow and the worker counts: it stays exact.

BUSY = Conflict, Unavailable  # a refusal that says so is right
THREADS = 6
TURNS = 400 if LONG else 24

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


@pytest.fixture
def pulled_above_two(settings) -> None:
    settings.PULL_ABOVE = 2  # of six, so that the count passes it again and again


def turns(fan: Viewer, star: Viewer, seed: int) -> None:
    dice = random.Random(seed)
    acts = (follow, unfollow, partial(follow, is_widely_followed=True))
    acts += (partial(unfollow, is_widely_followed=True),)
    for _ in range(TURNS):
        try:
            if dice.random() < 0.1:
                remove_follower(by=star, user_id=fan.user_id)
            else:
                dice.choice(acts)(by=fan, user_id=star.user_id)
        except (*BUSY, Blocked):
            continue


def blocks(fan: Viewer, star: Viewer) -> None:
    for _ in range(TURNS // 8):
        for act in (follow, block, unblock):
            try:
                act(by=fan, user_id=star.user_id)
            except (*BUSY, Blocked, NotFound):
                continue


def work(stop: threading.Event) -> None:
    worker = Worker()
    while not stop.wait(POLL_EVERY / 5):
        worker.step()
    worker.drain()


@not_on_moto
@pytest.mark.usefixtures("few")
def test_a_storm_across_the_limit_leaves_the_count_equal_to_the_edges(alice):
    fans = [person(f"fan_{number}") for number in range(THREADS)]
    stop = threading.Event()
    working = threading.Thread(target=work, args=(stop,))
    working.start()
    try:
        jobs = [partial(turns, fan, alice, seed) for seed, fan in enumerate(fans)]
        # The same person in two browsers, and one who blocks.
        jobs += [partial(turns, fans[0], alice, 99), partial(blocks, fans[1], alice)]
        assert together(*jobs) == [None] * len(jobs)
    finally:
        stop.set()
        working.join()
    edges = len(list(query(keys.followers(alice.user_id), consistent=True)))
    assert get_user_info(alice.user_id).followers == edges
    assert broken_invariants() == {}


@not_on_moto
@pytest.mark.usefixtures("few")
def test_one_edge_that_is_ended_twice_at_once_counts_once(alice):
    fans = [person(f"fan_{number}") for number in range(4)]
    for fan in fans:
        follow(by=fan, user_id=alice.user_id)
    for hint in (True, False):
        fan = fans.pop()
        ended = partial(unfollow, by=fan, user_id=alice.user_id, is_widely_followed=hint)
        assert sorted(together(*[ended] * 4)) == [False, False, False, True]
    Worker().drain()
    assert get_user_info(alice.user_id).followers == 2
    assert broken_invariants() == {}

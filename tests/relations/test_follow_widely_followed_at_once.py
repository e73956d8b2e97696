"""While the count of followers crosses the limit to and fro, people follow and the worker counts: it stays exact."""

import random
import threading
from functools import partial

import pytest

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from relations.blocks.writes import block, unblock
from relations.follows.writes import follow, remove_follower, unfollow
from relations.relation import Blocked
from socialsite.streams.worker import POLL_EVERY, Worker
from socialsite.table import Conflict, NotFound, Unavailable, keys, query
from tests.conftest import person
from tests.faults.crash_points import LONG
from tests.looks import broken_invariants
from tests.together import together

BUSY = Conflict, Unavailable  # a refusal that says so is right
THREADS = 6
TURNS = 400 if LONG else 24

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


@pytest.fixture(autouse=True)
def few(settings) -> None:
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

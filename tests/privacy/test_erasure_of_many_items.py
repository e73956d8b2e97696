"""The erasure of someone with very much, and of someone whose worker dies at each step. A hundred items here, ten
thousand with FAULTS=long; what it cost is printed (`pytest -s`)."""

import os
import time
from collections.abc import Iterator
from itertools import count

import pytest

from accounts.models import UserCount
from accounts.people.viewer import Viewer
from feed.likes.models import Like
from feed.posts.models import LikeCount, LikeTrace, Post
from privacy.erasure.phases import NAMES
from privacy.erasure.search import EVIDENCE
from privacy.erasure.writes import close_account
from privacy.models import Receipt, State
from relations.models import Follower, Following
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams import jobs
from socialsite.streams.models import Job
from socialsite.streams.worker import Worker
from socialsite.table import Item, change, get, ids, keys, write_batch
from tests.conftest import person
from tests.looks import broken_invariants, drain
from tests.privacy.lives import AFTER_THE_SEARCH, NAME, TEXT, kinds, naming

pytestmark = [
    pytest.mark.engines("embedded", reason="the work is the same, and long"),
    pytest.mark.timeout(3_000),
]

ITEMS = 10_000 if os.environ.get("FAULTS") == "long" else 120
FOLLOWERS = 5


class Killed(BaseException):
    """The process is gone: nothing after this runs, and nothing tidies up."""


def items_of(alice: Viewer, bob: Viewer) -> Iterator[Item]:
    """Posts of hers, each with a like of Bob's, and likes of hers for as many posts of his."""
    for _ in range(ITEMS // 4):
        for author, fan in ((alice, bob), (bob, alice)):
            post_id = ids.new_id()
            where = {"post_id": post_id, "author_id": author.user_id}
            yield Post.new(**where, content=TEXT if author is alice else "Hello")
            yield Like.new(**where, user_id=fan.user_id)
            yield LikeTrace.new(**where, user_id=fan.user_id)
            yield LikeCount.new(post_id=post_id)


@pytest.fixture
def much(alice, bob) -> Viewer:
    """Alice with all that; the worker counts the likes when it sees them."""
    write_batch(puts=items_of(alice, bob))
    fans = [person(f"fan{number}") for number in range(FOLLOWERS)]
    for fan in fans:
        pair = {"user_id": alice.user_id, "follower_id": fan.user_id}
        followed = Following.new(user_id=fan.user_id, followed_id=alice.user_id)
        write_batch(puts=[Follower.new(**pair), followed])
        change(UserCount, keys.user_count(fan.user_id), [UserCount.following.set(1)])
    posts, followers = UserCount.posts.set(ITEMS // 4), UserCount.followers.set(FOLLOWERS)
    change(UserCount, keys.user_count(alice.user_id), [posts, followers])
    change(UserCount, keys.user_count(bob.user_id), [posts])
    return alice


def test_nothing_is_left_of_very_much(much, capsys):
    worker = Worker()
    drain(worker)
    receipt_id = close_account(by=much, at_once=True)
    begun = time.monotonic()
    do_due()
    drain(worker)
    erased = time.monotonic()
    do_due(utc_now() + AFTER_THE_SEARCH)
    searched = time.monotonic()
    drain(worker)
    receipt = get(Receipt, keys.receipt(receipt_id), consistent=True)
    with capsys.disabled():
        print(
            f"\n{sum(receipt.counts.values())} items: {receipt.reads} R, {receipt.writes} W, "
            f"{erased - begun:.1f} s with all that follows; search {searched - erased:.1f} s"
        )
    assert receipt.state == State.SEARCHED
    assert receipt.counts["posts"] == receipt.counts["likes"] == ITEMS // 4
    assert kinds(naming(much.user_id, TEXT, NAME)) <= EVIDENCE
    assert broken_invariants() == {}


def test_a_worker_that_dies_at_each_step_leaves_nothing(much, monkeypatch):
    """It dies after the work of each step and before its cursor moves, then after that and before the checkpoint."""
    work_until_nothing_is_left()
    close_account(by=much, at_once=True)
    do_due()
    steps = count()
    take = jobs._take_step

    def die_in_between(job: Job) -> None:
        number = next(steps)
        if number % 3 == 0:
            jobs.STEPS[job.kind](job)
            raise Killed
        take(job)
        if number % 3 == 1:
            raise Killed

    monkeypatch.setattr(jobs, "_take_step", die_in_between)
    assert work_until_nothing_is_left() > 2 * len(NAMES)
    do_due(utc_now() + AFTER_THE_SEARCH)
    work_until_nothing_is_left()
    assert kinds(naming(much.user_id, TEXT, NAME)) <= EVIDENCE
    assert broken_invariants() == {}


def work_until_nothing_is_left() -> int:
    """One worker after the other, each until it dies. Returns how many died."""
    deaths = 0
    while True:
        worker = Worker()
        try:
            drain(worker)
        except Killed:
            deaths += 1
        else:
            return deaths
        finally:
            worker.give_up()

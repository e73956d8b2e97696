"""People like and unlike a post in several browsers while its likes are spread further: one like each, all counted."""

import random
import threading
from functools import partial

import pytest

from accounts.people.viewer import Viewer
from feed.cards.reads import get_post
from feed.likes.reads import LEVELS, MOST_SHARDS, get_like_count, list_likers
from feed.likes.writes import like_post, unlike_post
from socialsite.streams.worker import POLL_EVERY, Worker
from socialsite.table import Conflict, Unavailable
from tests.conftest import post
from tests.faults.crash_points import LONG
from tests.looks import broken_invariants
from tests.streams.crowd import crowd
from tests.together import together

BROWSERS = 8
TURNS = 300 if LONG else 30

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


def turns(fan: Viewer, post_id: str, author: Viewer, seed: int) -> None:
    """Presses, by pages that say how far the likes are spread: this moment's, or one of long ago."""
    dice = random.Random(seed)
    for _ in range(TURNS):
        try:
            shards = get_post(post_id, author.user_id, viewer=fan).like_shards
            if dice.random() < 0.3:
                shards = dice.choice(LEVELS)
            if dice.random() < 0.6:
                like_post(by=fan, post_id=post_id, author_id=author.user_id, shards=shards)
            else:
                unlike_post(by=fan, post_id=post_id, shards=shards)
        except (Conflict, Unavailable):  # a refusal that says so is right
            continue


def work(stop: threading.Event) -> None:
    worker = Worker()
    while not stop.wait(POLL_EVERY / 5):
        worker.step()
    worker.drain()


def test_a_storm_while_shards_are_added_leaves_one_like_each(alice, settings):
    settings.SPREAD_LIKES_ABOVE = 4
    post_id, fans = post(alice), crowd(BROWSERS // 2)
    stop = threading.Event()
    working = threading.Thread(target=work, args=(stop,))
    working.start()
    try:
        jobs = [partial(turns, fans[n // 2], post_id, alice, n) for n in range(BROWSERS)]
        assert together(*jobs) == [None] * BROWSERS
    finally:
        stop.set()
        working.join()
    wrong = broken_invariants()
    wrong.pop("every like lies where its post's likes are read", None)  # put there out of turn
    assert wrong == {}
    liking = [card.user_id for card in list_likers(post_id, shards=MOST_SHARDS).items]
    assert len(liking) == len({*liking}) == get_like_count(post_id)


@pytest.mark.parametrize("_again", range(10 if LONG else 6))
def test_two_likes_of_one_person_that_race_with_the_raise_are_one(alice, bob, _again):
    post_id = post(alice)
    pressed = [
        partial(like_post, by=bob, post_id=post_id, author_id=alice.user_id, shards=shards)
        for shards in LEVELS
    ]
    assert together(*pressed) == [None] * len(LEVELS)
    Worker().drain()
    assert get_like_count(post_id) == 1
    assert len(list_likers(post_id, shards=MOST_SHARDS).items) == 1
    together(*(partial(unlike_post, by=bob, post_id=post_id, shards=n) for n in LEVELS))
    assert not list_likers(post_id, shards=MOST_SHARDS).items

"""No post is missed or doubled in whatever order people post, follow, and an author crosses to pull.

Nine of thirty orders, other ones each run; all of them with `FAULTS=long`.
"""

from itertools import permutations

import pytest

from accounts.models import PULLED
from accounts.people.reads import get_user_info
from relations.follows.writes import follow, unfollow
from socialsite.streams.worker import Worker
from tests.conftest import person, post
from tests.injected.rotation import share
from tests.streams.crowd import crowd, gather, home, open_home

# One follower in each step of the worker: crossing takes several, and things happen between them.
ORDERS = sorted(set(permutations(("post", "post", "follow", "step", "step"))))
PARTS = 3


@pytest.fixture(autouse=True)
def small_steps(settings):
    settings.PULL_ABOVE = 1
    settings.FAN_OUT_STEP = 5


@pytest.mark.parametrize("part", range(PARTS))
def test_every_order_of_posting_following_and_crossing_shows_each_post_once(table, part):
    for order in share(ORDERS[part::PARTS], one_of=4, salt=f"orders, part {part}"):
        play(order)


@pytest.mark.parametrize("steps", range(6))
def test_who_unfollows_in_the_midst_of_the_crossing_sees_nothing_of_it(alice, bob, steps):
    fans = gather(crowd(2), alice)
    follow(by=bob, user_id=alice.user_id)
    worker = Worker()
    worker.drain()
    post_id = post(alice)
    for _ in range(steps):
        worker.step()
    unfollow(by=bob, user_id=alice.user_id)
    worker.drain()
    assert home(bob) == []
    assert all(home(fan) == [post_id] for fan in fans)


def play(order: tuple[str, ...]) -> None:
    """Plays the order for an author, an early and a late follower; what was seen once stays to be seen."""
    author, late = crowd(2)
    early = gather(crowd(2), author)[0]
    worker = Worker()
    worker.drain()
    posts: list[str] = []
    seen: set[str] = set()
    for action in order:
        if action == "post":
            posts.append(post(author))
        elif action == "follow":
            follow(by=late, user_id=author.user_id)
        else:
            worker.step()
            open_home(early)
            now = set(home(early))
            assert seen <= now, order
            seen = now
    worker.drain()
    assert get_user_info(author.user_id).reading == PULLED, order
    posts.append(post(author))  # is seen by those alone who learned to pull
    worker.drain()
    worker.give_up()
    assert home(early) == home(late) == posts[::-1], order


def test_a_post_published_while_pulled_and_before_its_handling_is_seen_once(alice):
    fans = gather(crowd(2), alice)
    worker = Worker()
    worker.drain()
    first = post(alice)
    worker.step()
    waiting = [post(alice) for _ in range(2)]
    while get_user_info(alice.user_id).reading != PULLED:
        worker.step()
    last = post(alice)
    worker.drain()
    assert all(home(fan) == [last, *waiting[::-1], first] for fan in fans)


def test_crossings_of_several_authors_at_once_teach_a_common_follower_all_of_them(bob, table):
    authors = [person(f"author_{number}") for number in range(3)]
    for author in authors:
        gather([*crowd(1), bob], author)
    worker = Worker()
    worker.drain()
    posts = [post(author) for author in authors]
    worker.drain()
    later = [post(author) for author in authors]
    worker.drain()
    assert home(bob) == [*later[::-1], *posts[::-1]]


def test_workers_in_turn_bring_a_crossing_to_its_end(alice):
    fans = gather(crowd(2), alice)
    post_id = post(alice)
    for _ in range(5):
        worker = Worker()
        worker.step()
        worker.give_up()
    Worker().drain()
    assert get_user_info(alice.user_id).reading == PULLED
    assert all(home(fan) == [post_id] for fan in fans)

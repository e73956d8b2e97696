"""Following and unfollowing at the same moment: the counts equal the edges."""

import random
from functools import partial

import pytest

from accounts.people.reads import get_user_info
from relations.follows.writes import follow, unfollow
from socialsite.table import Conflict, keys, query
from tests.conftest import person
from tests.together import together

THREADS, TURNS = 8, 50

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)


def assert_counts_equal_edges(*people) -> None:
    for one in people:
        card = get_user_info(one.user_id)
        following = len(list(query(keys.followings(one.user_id), consistent=True)))
        followers = len(list(query(keys.followers(one.user_id), consistent=True)))
        assert (card.following, card.followers) == (following, followers)


def turns(by, user_id: str, seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(TURNS):
        try:
            dice.choice((follow, unfollow))(by=by, user_id=user_id)
        except Conflict:  # a refusal that says so and wrote nothing is right
            continue


def test_a_storm_on_one_pair_leaves_counts_equal_to_edges(alice, bob):
    results = together(*(partial(turns, alice, bob.user_id, seed) for seed in range(THREADS)))
    assert results == [None] * THREADS
    assert_counts_equal_edges(alice, bob)
    follow(by=alice, user_id=bob.user_id)
    assert get_user_info(bob.user_id).followers == 1


def test_two_who_follow_each_other_in_a_storm_keep_their_counts(alice, bob):
    pairs = [(alice, bob), (bob, alice)] * (THREADS // 2)
    jobs = (partial(turns, by, other.user_id, seed) for seed, (by, other) in enumerate(pairs))
    assert together(*jobs) == [None] * THREADS
    assert_counts_equal_edges(alice, bob)


def test_many_who_follow_one_person_at_once_are_all_counted(alice):
    fans = [person(f"fan_{number}") for number in range(THREADS)]
    results = together(*(partial(follow, by=fan, user_id=alice.user_id) for fan in fans))
    assert results == [None] * THREADS
    assert_counts_equal_edges(alice, *fans)
    assert get_user_info(alice.user_id).followers == THREADS

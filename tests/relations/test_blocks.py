"""Blocks, and everything that people do to each other in crossing order."""

import random
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from accounts.models import UserCount, UserInfo
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from relations.blocks.writes import block, mute, unblock, unmute
from relations.directory import search_people
from relations.follows.writes import (
    AlreadyFollowing,
    Locked,
    NotLocked,
    accept_follow_request,
    decline_follow_request,
    follow,
    remove_follower,
    request_follow,
    unfollow,
    withdraw_follow_request,
)
from relations.friends.writes import (
    accept_friend,
    decline_friend,
    end_friendship,
    request_friend,
    withdraw_friend_request,
)
from relations.models import RelationType
from relations.own_choices.writes import favourite, unfavourite
from relations.reads import list_relations
from relations.relation import (
    AlreadyRelated,
    Blocked,
    CannotRelateToYourself,
    NotRelated,
    create_relation,
)
from socialsite.table import Conflict, NotFound, TableError, Unavailable, change, get, keys
from tests.conftest import person
from tests.faults.crash_points import LONG
from tests.looks import broken_invariants
from tests.relations.scenes import relationship
from tests.together import together


@pytest.fixture
def close(alice, bob):
    """Alice and Bob follow each other, are friends, and have each other as favourites."""
    for one, other in ((alice, bob), (bob, alice)):
        follow(by=one, user_id=other.user_id)
        request_friend(by=one, user_id=other.user_id)
        create_relation(by=one, relation_type=RelationType.FAVOURITE, user_id=other.user_id)


def counts(viewer):
    info = get_user_info(viewer.user_id)
    friends = int(get(UserCount, keys.user_count(viewer.user_id)).friends)
    return info.followers, info.following, friends


def test_it_ends_follows_friendship_and_stars_on_both_sides(close, alice, bob, measure):
    assert counts(alice) == counts(bob) == (1, 1, 1)
    with measure() as meter:
        block(by=alice, user_id=bob.user_id)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "TransactWriteItems"]
    assert counts(alice) == counts(bob) == (0, 0, 0)
    mine, theirs = relationship(alice, bob), relationship(bob, alice)
    assert mine.blocks
    assert not mine.is_blocked
    assert theirs.is_blocked
    assert not theirs.blocks
    for side in (mine, theirs):
        assert side.is_hidden
        assert not any((side.follows, side.is_friend, side.is_favourite, side.asked_to_follow))


def test_doing_it_again_changes_nothing(close, alice, bob):
    for _ in range(2):
        block(by=alice, user_id=bob.user_id)
    unblock(by=alice, user_id=bob.user_id)
    assert not relationship(bob, alice).is_hidden


@pytest.mark.parametrize("blocker", ["alice", "bob"])
def test_nothing_begins_across_it_in_either_direction(alice, bob, blocker):
    by, other = (alice, bob) if blocker == "alice" else (bob, alice)
    block(by=by, user_id=other.user_id)
    star = RelationType.FAVOURITE
    for one, two in ((alice, bob), (bob, alice)):
        with pytest.raises(Blocked):
            follow(by=one, user_id=two.user_id)
        with pytest.raises(Blocked):
            request_friend(by=one, user_id=two.user_id)
        with pytest.raises(Blocked):
            create_relation(by=one, relation_type=star, user_id=two.user_id)


def test_two_who_block_each_other_stay_hidden_until_both_have_ended_it(alice, bob):
    block(by=alice, user_id=bob.user_id)
    block(by=bob, user_id=alice.user_id)
    unblock(by=alice, user_id=bob.user_id)
    assert relationship(alice, bob).is_blocked
    with pytest.raises(Blocked):
        follow(by=alice, user_id=bob.user_id)
    unblock(by=bob, user_id=alice.user_id)
    follow(by=alice, user_id=bob.user_id)


def test_only_who_blocks_can_end_it(alice, bob):
    block(by=alice, user_id=bob.user_id)
    unblock(by=bob, user_id=alice.user_id)
    assert relationship(alice, bob).blocks


def test_what_it_ended_stays_ended(close, alice, bob):
    block(by=alice, user_id=bob.user_id)
    unblock(by=alice, user_id=bob.user_id)
    assert counts(alice) == counts(bob) == (0, 0, 0)


def test_a_request_under_way_cannot_be_accepted_any_more(alice, bob):
    request_friend(by=bob, user_id=alice.user_id)
    block(by=alice, user_id=bob.user_id)
    unblock(by=alice, user_id=bob.user_id)
    with pytest.raises(NotFound):
        accept_friend(by=alice, user_id=bob.user_id)


def test_neither_finds_the_other_but_third_people_find_both(alice, bob, carol, drain_stream):
    drain_stream()
    block(by=alice, user_id=bob.user_id)
    assert not search_people("bob", viewer=alice).items
    assert not search_people("alice", viewer=bob).items
    assert search_people("bob", viewer=carol).items


def test_only_ones_own_blocks_are_listed(alice, bob):
    block(by=alice, user_id=bob.user_id)
    listed = list_relations(alice, RelationType.BLOCK).items
    assert not list_relations(bob, RelationType.BLOCK).items
    assert [card.person.handle for card in listed] == ["bob"]


def test_not_oneself_nor_who_is_gone(alice):
    with pytest.raises(CannotRelateToYourself):
        block(by=alice, user_id=alice.user_id)
    with pytest.raises(NotFound):
        block(by=alice, user_id="01JD0000000000000000000000")


# Four people do everything to each other at the same moment, in crossing order: no invariant breaks.
#
# What an act may answer is its success or one of the refusals that its description names. The short form is a
# minute's sample; `FAULTS=long` does 2,000 acts in each of 8 threads.

THREADS = 8
TURNS = 2_000 if LONG else 100
TURNS_OF_A_PAIR = 2_000 if LONG else 50

not_on_moto = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does not hold transactions apart from each other"
)

BUSY: tuple[type[TableError], ...] = (Conflict, Unavailable)
ACTS: list[tuple[Callable[..., object], tuple[type[TableError], ...]]] = [
    (follow, (Blocked, Locked)),
    (unfollow, ()),
    (remove_follower, ()),
    (request_follow, (Blocked, NotLocked, AlreadyFollowing)),
    (accept_follow_request, (Blocked, NotRelated)),
    (decline_follow_request, ()),
    (withdraw_follow_request, ()),
    (request_friend, (Blocked, NotRelated)),  # the other one asked, and withdrew just now
    (request_friend, (Blocked, NotRelated)),
    (accept_friend, (Blocked, NotRelated)),
    (accept_friend, (Blocked, NotRelated)),
    (decline_friend, ()),
    (withdraw_friend_request, ()),
    (end_friendship, ()),
    (block, ()),
    (unblock, ()),
    (unblock, ()),
    (mute, ()),
    (unmute, ()),
    (favourite, (Blocked, AlreadyRelated)),
    (unfavourite, ()),
]


@pytest.fixture
def four(alice, bob, carol) -> list[Viewer]:
    """The cast and Dora, who decides who follows her."""
    dora = person("dora")
    change(UserInfo, keys.user_info(dora.user_id), [UserInfo.locked.set("yes")])
    return [alice, bob, carol, dora]


def turns(people: list[Viewer], number: int, seed: int) -> Counter[str]:
    """What came of each act; any error that it does not name ends the thread with it."""
    dice = random.Random(seed)
    outcomes: Counter[str] = Counter()
    for _ in range(number):
        act, refusals = dice.choice(ACTS)
        by, other = dice.sample(people, 2)
        options = {}
        if act is mute:
            options["until"] = dice.choice([None, datetime.now(UTC) + timedelta(hours=1)])
        try:
            act(by=by, user_id=other.user_id, **options)
            outcomes[act.__name__] += 1
        except (*refusals, *BUSY) as error:
            outcomes[type(error).__name__] += 1
    return outcomes


def storm(people: list[Viewer], number: int = TURNS) -> Counter[str]:
    results = together(*(partial(turns, people, number, seed) for seed in range(THREADS)))
    outcomes: Counter[str] = Counter()
    for result in results:
        assert isinstance(result, Counter), repr(result)
        outcomes += result
    return outcomes


@not_on_moto
@pytest.mark.timeout(1800 if LONG else 120)
def test_a_storm_among_four_breaks_nothing(four, drain_stream):
    outcomes = storm(four)
    drain_stream()
    assert broken_invariants() == {}
    assert not outcomes.keys() & {"Unavailable"}
    assert {act.__name__ for act, _ in ACTS} - {"accept_follow_request"} <= outcomes.keys()


@not_on_moto
@pytest.mark.timeout(1800 if LONG else 120)
def test_a_storm_on_one_pair_breaks_nothing(alice, bob, drain_stream):
    outcomes = storm([alice, bob], TURNS_OF_A_PAIR)
    drain_stream()
    assert broken_invariants() == {}
    assert outcomes["follow"]
    assert outcomes["block"]


@not_on_moto
@pytest.mark.timeout(1800 if LONG else 120)
def test_two_who_ask_each_other_at_once_are_friends_or_one_waits(alice, bob, drain_stream):
    drain_stream()
    for _ in range(20):
        together(
            partial(request_friend, by=alice, user_id=bob.user_id),
            partial(request_friend, by=bob, user_id=alice.user_id),
        )
        assert broken_invariants() == {}
        request_friend(by=alice, user_id=bob.user_id)  # who was refused asks again
        request_friend(by=bob, user_id=alice.user_id)
        assert [count_friends(one) for one in (alice, bob)] == [1, 1]
        end_friendship(by=bob, user_id=alice.user_id)


@not_on_moto
@pytest.mark.timeout(1800 if LONG else 120)
def test_a_block_against_all_that_could_begin_leaves_nothing(alice, bob, drain_stream):
    drain_stream()
    for _ in range(20):
        together(
            partial(follow, by=alice, user_id=bob.user_id),
            partial(block, by=bob, user_id=alice.user_id),
            partial(request_friend, by=alice, user_id=bob.user_id),
            partial(favourite, by=alice, user_id=bob.user_id),
        )
        assert relationship(bob, alice).blocks
        assert broken_invariants() == {}
        unblock(by=bob, user_id=alice.user_id)


def count_friends(viewer: Viewer) -> int:
    return int(get(UserCount, keys.user_count(viewer.user_id), consistent=True).friends)

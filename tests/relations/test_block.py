"""A block ends everything between two people in one transaction, and lets nothing begin while it lasts."""

import pytest

from accounts.models import UserCount
from accounts.people.reads import get_user_info
from relations.blocks.writes import block, unblock
from relations.directory import search_people
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from relations.models import RelationType
from relations.reads import list_relations
from relations.relation import Blocked, CannotRelateToYourself, create_relation
from socialsite.table import NotFound, get, keys
from tests.relations.relations import relationship


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

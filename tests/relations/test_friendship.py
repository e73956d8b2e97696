"""Friendship is asked for, accepted or declined, and in force on both sides or on neither."""

import pytest

from accounts.models import UserCount
from accounts.people.reads import get_user_info
from accounts.people.viewer import Circle
from relations.blocks.writes import block
from relations.friends import writes
from relations.friends.writes import (
    accept_friend,
    decline_friend,
    end_friendship,
    request_friend,
    withdraw_friend_request,
)
from relations.models import RelationType
from relations.reads import list_circles, list_relating
from relations.relation import (
    Blocked,
    CannotRelateToYourself,
    NotRelated,
    TooManyFriends,
    update_relation,
)
from socialsite.table import NotFound, get, keys
from tests.relations.relations import relationship

REQUEST = RelationType.FRIEND_REQUEST


def are_friends(one, other) -> bool:
    sides = {relationship(one, other).is_friend, relationship(other, one).is_friend}
    assert len(sides) == 1
    return sides.pop()


def friends_of(viewer) -> int:
    return int(get(UserCount, keys.user_count(viewer.user_id)).friends)


@pytest.fixture
def asked(alice, bob):
    """Alice asked Bob."""
    request_friend(by=alice, user_id=bob.user_id)


def test_a_request_is_seen_by_who_is_asked_and_grants_nothing(asked, alice, bob):
    assert [card.person.handle for card in list_relating(bob.user_id, REQUEST).items] == ["alice"]
    assert relationship(bob, alice).is_asked
    assert relationship(alice, bob).asked_to_be_friends
    assert not are_friends(alice, bob)


def test_accepting_makes_both_friends_and_counts_both(asked, alice, bob, measure):
    with measure() as meter:
        accept_friend(by=bob, user_id=alice.user_id)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "TransactWriteItems"]
    assert are_friends(alice, bob)
    assert (friends_of(alice), friends_of(bob)) == (1, 1)
    assert not list_relating(bob.user_id, REQUEST).items


def test_asking_who_asked_is_accepting(asked, alice, bob):
    request_friend(by=bob, user_id=alice.user_id)
    assert are_friends(alice, bob)
    assert not relationship(bob, alice).asked_to_be_friends


@pytest.mark.parametrize("step", [request_friend, accept_friend, end_friendship])
def test_doing_it_again_changes_nothing(asked, alice, bob, step):
    accept_friend(by=bob, user_id=alice.user_id)
    for _ in range(2):
        step(by=bob, user_id=alice.user_id)
    expected = 0 if step is end_friendship else 1
    assert (friends_of(alice), friends_of(bob)) == (expected, expected)


@pytest.mark.parametrize("who", ["asked", "asking"])
def test_a_request_that_is_declined_or_withdrawn_cannot_be_accepted(asked, alice, bob, who):
    if who == "asked":
        decline_friend(by=bob, user_id=alice.user_id)
    else:
        withdraw_friend_request(by=alice, user_id=bob.user_id)
    with pytest.raises(NotRelated):
        accept_friend(by=bob, user_id=alice.user_id)
    assert not are_friends(alice, bob)


def test_nobody_accepts_for_somebody_else(asked, alice, bob):
    with pytest.raises(NotRelated):
        accept_friend(by=alice, user_id=bob.user_id)


def test_either_one_ends_it_for_both(asked, alice, bob):
    accept_friend(by=bob, user_id=alice.user_id)
    end_friendship(by=alice, user_id=bob.user_id)
    assert not are_friends(alice, bob)
    assert (friends_of(alice), friends_of(bob)) == (0, 0)


def test_friends_again_have_no_circles_from_before(asked, alice, bob):
    accept_friend(by=bob, user_id=alice.user_id)
    update_relation(
        by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags={"family"}
    )
    assert list_circles(alice) == {Circle("family", "family"): 1}
    end_friendship(by=alice, user_id=bob.user_id)
    assert list_circles(alice) == {}
    request_friend(by=bob, user_id=alice.user_id)
    accept_friend(by=alice, user_id=bob.user_id)
    assert list_circles(alice) == {}


def test_not_with_oneself_nor_who_is_gone_nor_across_a_block(alice, bob):
    with pytest.raises(CannotRelateToYourself):
        request_friend(by=alice, user_id=alice.user_id)
    with pytest.raises(NotFound):
        request_friend(by=alice, user_id="01JD0000000000000000000000")
    block(by=bob, user_id=alice.user_id)
    with pytest.raises(Blocked):
        request_friend(by=alice, user_id=bob.user_id)


def test_a_thousand_friends_are_the_most(asked, alice, bob, monkeypatch):
    monkeypatch.setattr(writes, "MOST_FRIENDS", 0)
    with pytest.raises(TooManyFriends):
        accept_friend(by=bob, user_id=alice.user_id)
    assert not are_friends(alice, bob)
    assert relationship(bob, alice).is_asked


def test_it_is_no_follow(asked, alice, bob):
    accept_friend(by=bob, user_id=alice.user_id)
    assert get_user_info(alice.user_id).followers == 0

"""People you may know: two steps away, ranked by whom one shares, with the reason; never whom one does not want."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import UserInfo
from accounts.people.viewer import VISITOR, Viewer
from accounts.profile.writes import edit_profile
from relations.blocks.writes import block, mute, unmute
from relations.follows.writes import follow, request_follow
from relations.friends.writes import end_friendship, request_friend
from relations.models import RelationType
from relations.own_choices.writes import dismiss_suggestion
from relations.relation import update_relation
from socialsite.table import change, keys, write_batch
from tests.conftest import person
from tests.relations.nearby import befriend, look_anew, people_you_may_know, reasons


@pytest.fixture
def dave(table: str) -> Viewer:
    return person("dave", "Dave Dorn")


@pytest.fixture
def knows_carol(alice, bob, carol) -> None:
    """Alice follows Bob, who follows Carol."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)


# Who


def test_whom_those_follow_whom_i_follow(alice, knows_carol):
    assert reasons(alice) == {"carol": "Followed by Bob Brandt"}


def test_the_friends_of_my_friends(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    assert reasons(alice) == {"carol": "Friends with Bob Brandt"}


def test_whom_my_friends_follow(alice, bob, carol):
    befriend(alice, bob)
    follow(by=bob, user_id=carol.user_id)
    assert reasons(alice) == {"carol": "Followed by Bob Brandt"}


def test_a_friendship_is_not_told_to_somebody_who_only_follows(alice, bob, carol):
    follow(by=alice, user_id=bob.user_id)
    befriend(bob, carol)
    assert reasons(alice) == {"carol": "Knows people you follow"}


def test_the_reason_names_one_and_counts_the_others(alice, bob, carol, dave, mod):
    for one in (bob, carol, dave):
        follow(by=alice, user_id=one.user_id)
        follow(by=one, user_id=mod.user_id)
    assert reasons(alice) == {"moddy": "Followed by Bob Brandt and 2 other people you follow"}


def test_friends_of_several_friends(alice, bob, carol, mod):
    for one in (bob, carol):
        befriend(alice, one)
        befriend(one, mod)
    assert reasons(alice) == {"moddy": "Friends with Bob Brandt and 1 more of your friends"}


def test_others_you_follow_are_only_those_one_follows(alice, bob, carol, mod):
    befriend(alice, bob)
    follow(by=alice, user_id=carol.user_id)
    for one in (bob, carol):
        follow(by=one, user_id=mod.user_id)
    assert reasons(alice) == {"moddy": "Followed by Carol 陈"}


def test_who_knows_nobody_and_visitors_are_suggested_nobody(alice, bob):
    assert reasons(alice) == {}
    assert people_you_may_know(viewer=VISITOR) == []


def test_three_steps_are_too_far(alice, knows_carol, carol, dave):
    follow(by=carol, user_id=dave.user_id)
    assert "dave" not in reasons(alice)


# In which order


def test_more_shared_people_come_first(alice, bob, carol, dave, mod):
    for one in (bob, carol):
        follow(by=alice, user_id=one.user_id)
        follow(by=one, user_id=mod.user_id)
    follow(by=bob, user_id=dave.user_id)
    assert list(reasons(alice)) == ["moddy", "dave"]


def test_a_friends_friend_comes_before_somebody_a_friend_follows(alice, bob, carol, dave):
    befriend(alice, bob)
    follow(by=bob, user_id=carol.user_id)
    befriend(bob, dave)
    assert list(reasons(alice)) == ["dave", "carol"]


def test_shared_friends_of_one_circle_count_more_than_of_different_ones(alice, table):
    friends = [person(f"friend{number}") for number in range(4)]
    others = [person("mixed"), person("family")]
    for number, circle in enumerate(("work", "family", "family", "choir")):
        befriend(alice, friends[number])
        update_relation(
            by=alice,
            relation_type=RelationType.FRIEND,
            user_id=friends[number].user_id,
            tags={circle},
        )
    for number, other in ((0, 0), (3, 0), (1, 1), (2, 1)):
        follow(by=friends[number], user_id=others[other].user_id)
    assert list(reasons(alice)) == ["family", "mixed"]


def test_the_same_location_counts_however_it_is_written(alice, bob, carol, dave):
    follow(by=alice, user_id=bob.user_id)
    for one in (carol, dave):
        follow(by=bob, user_id=one.user_id)
    edit_profile(by=alice, bio="", location="São Paulo")
    assert list(reasons(alice)) == ["carol", "dave"]
    look_anew(alice)
    edit_profile(by=dave, bio="", location="sao paulo")
    assert list(reasons(alice)) == ["dave", "carol"]


# Who never is, at once and before anything is found anew


def ask_to_follow(by: Viewer, other: Viewer) -> None:
    change(UserInfo, keys.user_info(other.user_id), [UserInfo.locked.set("yes")])
    request_follow(by=by, user_id=other.user_id)


def opt_out(viewer: Viewer) -> None:
    change(UserInfo, keys.user_info(viewer.user_id), [UserInfo.not_suggested.set("yes")])


@pytest.mark.parametrize("found", ["before", "anew"])
@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda one, other: follow(by=one, user_id=other.user_id), id="followed"),
        pytest.param(befriend, id="friend"),
        pytest.param(lambda one, other: block(by=one, user_id=other.user_id), id="blocked"),
        pytest.param(lambda one, other: block(by=other, user_id=one.user_id), id="blocker"),
        pytest.param(lambda one, other: mute(by=one, user_id=other.user_id), id="muted"),
        pytest.param(ask_to_follow, id="asked to follow"),
        pytest.param(
            lambda one, other: request_friend(by=one, user_id=other.user_id), id="asked as friend"
        ),
        pytest.param(
            lambda one, other: write_batch(deletes=[keys.user_info(other.user_id)]), id="gone"
        ),
        pytest.param(lambda one, other: opt_out(other), id="opted out"),
        pytest.param(
            lambda one, other: dismiss_suggestion(by=one, user_id=other.user_id), id="dismissed"
        ),
    ],
)
def test_who_is_left_out_at_once(alice, knows_carol, carol, act, found):
    assert list(reasons(alice)) == ["carol"]
    act(alice, carol)
    if found == "anew":
        look_anew(alice)
    assert reasons(alice) == {}


def test_oneself_is_not_suggested(alice, bob):
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=alice.user_id)
    assert reasons(alice) == {}


def test_who_is_muted_no_longer_or_until_a_past_moment_comes_back(alice, knows_carol, carol):
    mute(by=alice, user_id=carol.user_id)
    assert reasons(alice) == {}
    unmute(by=alice, user_id=carol.user_id)
    assert list(reasons(alice)) == ["carol"]
    mute(by=alice, user_id=carol.user_id, until=datetime.now(UTC) - timedelta(minutes=1))
    assert list(reasons(alice)) == ["carol"]


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda one, other: block(by=one, user_id=other.user_id), id="blocked"),
        pytest.param(lambda one, other: block(by=other, user_id=one.user_id), id="blocker"),
        pytest.param(
            lambda one, other: write_batch(deletes=[keys.user_info(other.user_id)]), id="gone"
        ),
    ],
)
def test_nobody_is_suggested_through_somebody_blocked_or_gone_since(alice, knows_carol, bob, act):
    assert list(reasons(alice)) == ["carol"]
    act(alice, bob)
    assert reasons(alice) == {}


def test_an_ended_friendship_leads_to_nobody(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    end_friendship(by=bob, user_id=carol.user_id)
    assert reasons(alice) == {}

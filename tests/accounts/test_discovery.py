"""People you may know: two steps away, ranked by whom one shares, with the reason; never whom one does not want."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.access_patterns import recommend_people
from accounts.discovery import ASKED, KEPT
from accounts.models import Suggestions, UserInfo
from accounts.people_you_may_know import MOST, people_you_may_know
from accounts.services.befriend import end_friendship, request_friend
from accounts.services.block import block, unblock
from accounts.services.edit_profile import edit_profile
from accounts.services.follow import follow
from accounts.services.follow_requests import request_follow
from accounts.services.mute import mute, unmute
from accounts.services.relate import update_relation
from accounts.models import RelationType
from accounts.viewer import VISITOR, Viewer
from socialsite.table import keys
from socialsite.table.reading import fetch, get
from socialsite.table.writing import change, write_batch
from tests.accounts.nearby import befriend, crowd, follow_each, look_anew, reasons
from tests.conftest import person

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


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
    assert reasons(alice) == {"carol": "Friend of Bob Brandt"}


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
    assert reasons(alice) == {"moddy": "Followed by Bob Brandt and 2 others you follow"}


def test_friends_of_several_friends(alice, bob, carol, mod):
    for one in (bob, carol):
        befriend(alice, one)
        befriend(one, mod)
    assert reasons(alice) == {"moddy": "Friend of Bob Brandt and 1 other friend of yours"}


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


@pytest.mark.parametrize("found", ["before", "anew"])
@pytest.mark.parametrize(
    "act",
    [
        lambda alice, carol: follow(by=alice, user_id=carol.user_id),
        lambda alice, carol: befriend(alice, carol),
        lambda alice, carol: block(by=alice, user_id=carol.user_id),
        lambda alice, carol: block(by=carol, user_id=alice.user_id),
        lambda alice, carol: mute(by=alice, user_id=carol.user_id),
        lambda alice, carol: request_friend(by=alice, user_id=carol.user_id),
        lambda alice, carol: request_follow(by=alice, user_id=carol.user_id),
        lambda alice, carol: write_batch(deletes=[keys.user_info(carol.user_id)]),
        lambda alice, carol: opt_out(carol),
    ],
    ids=["followed", "friend", "blocked", "blocker", "muted", "asked-friend", "asked", "gone", "opted-out"],
)  # fmt: skip
def test_who_is_left_out_at_once(alice, knows_carol, carol, act, found):
    locked = UserInfo.locked.set("yes")
    change(UserInfo, keys.user_info(carol.user_id), [locked])
    assert list(reasons(alice)) == ["carol"]
    change(UserInfo, keys.user_info(carol.user_id), [UserInfo.locked.remove()])
    if "asked" in act.__code__.co_names or "request_follow" in act.__code__.co_names:
        change(UserInfo, keys.user_info(carol.user_id), [locked])
    act(alice, carol)
    if found == "anew":
        look_anew(alice)
    assert reasons(alice) == {}


def opt_out(viewer: Viewer) -> None:
    change(UserInfo, keys.user_info(viewer.user_id), [UserInfo.not_suggested.set("yes")])


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


def test_nobody_is_suggested_by_somebody_who_is_blocked_or_gone_since(alice, knows_carol, bob):
    assert list(reasons(alice)) == ["carol"]
    block(by=alice, user_id=bob.user_id)
    assert reasons(alice) == {}
    unblock(by=alice, user_id=bob.user_id)
    assert list(reasons(alice)) == ["carol"]
    write_batch(deletes=[keys.user_info(bob.user_id)])
    assert reasons(alice) == {}


def test_an_ended_friendship_leads_to_nobody(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    end_friendship(by=bob, user_id=carol.user_id)
    assert reasons(alice) == {}


# Kept for a while


def test_what_was_found_is_kept_and_not_looked_for_again(alice, knows_carol, measure):
    people_you_may_know(viewer=alice)
    with measure() as meter:
        people_you_may_know(viewer=alice)
    assert [call.operation for call in meter.calls] == ["GetItem", "BatchGetItem"]


def test_a_long_list_is_kept_a_day_and_a_short_one_ten_minutes(alice, knows_carol):
    def minutes_left() -> float:
        people_you_may_know(viewer=alice)
        kept = get(Suggestions, keys.suggestions(alice.user_id))
        return (kept.ttl - datetime.now(UTC)).total_seconds() / 60

    assert 9 < minutes_left() <= 10
    [near] = crowd(1)
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in crowd(12, "far")])
    look_anew(alice)
    assert 23 * 60 < minutes_left() <= 24 * 60


def test_what_has_expired_is_found_anew_and_kept_again(alice, knows_carol, bob, dave):
    reasons(alice)
    past = datetime.now(UTC) - timedelta(minutes=1)
    change(Suggestions, keys.suggestions(alice.user_id), [Suggestions.ttl.set(past)])
    follow(by=bob, user_id=dave.user_id)
    assert list(reasons(alice)) == ["carol", "dave"]
    assert get(Suggestions, keys.suggestions(alice.user_id)).ttl > past


def test_where_all_that_one_looks_at_are_left_out_the_next_ones_come(alice, table):
    [near] = crowd(1)
    far = crowd(KEPT, "far")
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in far])
    first = list(reasons(alice))
    assert len(first) == MOST
    follow_each([alice.user_id], [one.user_id for one in far if one.handle in first])
    assert len(reasons(alice)) == MOST
    assert not set(first) & set(reasons(alice))


# Bounds


def test_thirty_are_kept_in_less_than_four_kilobytes(alice, table):
    [near] = crowd(1)
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in crowd(60, "far")])
    assert len(recommend_people(alice.user_id)) == KEPT
    people_you_may_know(viewer=alice)
    key = keys.suggestions(alice.user_id)
    assert len(str(fetch([key])[key])) < 4096


def test_of_many_whom_one_follows_some_from_everywhere_are_asked(alice, requests_of):
    near = crowd(200, "near")
    follow_each([alice.user_id], [one.user_id for one in near])
    with requests_of() as requests:
        recommend_people(alice.user_id)
    asked = {
        request.parameters["ExpressionAttributeValues"][":pk"]["S"]
        for request in requests.made[2:-1]
    }
    places = sorted(one.user_id for one in near)
    numbers = [number for number, one in enumerate(places) if keys.followings(one) in asked]
    assert len(numbers) == ASKED
    assert {after - before for before, after in zip(numbers, numbers[1:], strict=False)} == {8}


def test_friends_are_asked_first(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    follow_each([alice.user_id], [one.user_id for one in crowd(100, "near")])
    assert reasons(alice) == {"carol": "Friend of Bob Brandt"}


@capacity
@pytest.mark.parametrize("followed", [10, 1_000])
def test_finding_anew_is_at_most_52_queries_and_two_batches(alice, measure, followed):
    near, far = crowd(followed, "near"), crowd(120, "far")
    near_ids, far_ids = ([one.user_id for one in some] for some in (near, far))
    follow_each([alice.user_id], near_ids)
    follow_each(near_ids[:: max(1, followed // 50)], far_ids)
    with measure() as meter:
        assert recommend_people(alice.user_id)
    operations = [call.operation for call in meter.calls]
    asked = min(ASKED, followed)
    assert operations.count("Query") == 2 + 2 * asked
    assert operations.count("BatchGetItem") == len(operations) - 2 - 2 * asked == 2
    assert {call.access_pattern for call in meter.calls} == {"recommend_people"}
    assert meter.read_units <= 350


@capacity
@pytest.mark.parametrize(("size", "most"), [(3, 30.5), (10, 50.5)])
def test_showing_what_is_kept_costs_two_calls(alice, measure, size, most):
    near_ids, far_ids = ([one.user_id for one in crowd(30, name)] for name in ("near", "far"))
    follow_each([alice.user_id], near_ids)
    follow_each(near_ids, far_ids)
    people_you_may_know(viewer=alice)
    with measure() as meter:
        assert len(people_you_may_know(viewer=alice, size=size)) == size
    assert [call.operation for call in meter.calls] == ["GetItem", "BatchGetItem"]
    assert meter.read_units <= most

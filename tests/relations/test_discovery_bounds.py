"""People you may know: kept for a while, bounded in size, and at a cost that no number of people changes."""

from datetime import UTC, datetime, timedelta

import pytest

from relations.follows.writes import follow
from relations.models import Suggestions
from relations.suggested import MOST
from relations.two_levels import ASKED, MOST_KEPT, recommend_people
from socialsite.table import change, fetch, get, keys
from tests.conftest import person
from tests.relations.nearby import (
    befriend,
    crowd,
    follow_each,
    look_anew,
    people_you_may_know,
    reasons,
    shown,
)

capacity = pytest.mark.engines("embedded", reason="the others report other capacity")


@pytest.fixture
def knows_carol(alice, bob, carol) -> None:
    """Alice follows Bob, who follows Carol."""
    follow(by=alice, user_id=bob.user_id)
    follow(by=bob, user_id=carol.user_id)


def test_what_was_found_is_kept_and_not_looked_for_again(alice, knows_carol, measure):
    people_you_may_know(viewer=alice)
    with measure() as meter:
        shown(viewer=alice)
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "Query", "BatchGetItem"]


def test_a_long_list_is_fresh_for_a_day_and_a_short_one_for_ten_minutes(alice, knows_carol):
    def minutes_left() -> float:
        people_you_may_know(viewer=alice)
        kept = get(Suggestions, keys.suggestions(alice.user_id))
        fresh_until = datetime.fromisoformat(kept.fresh_until)
        return (fresh_until - datetime.now(UTC)).total_seconds() / 60

    assert 9.9 < minutes_left() <= 10
    [near] = crowd(1)
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in crowd(12, "far")])
    look_anew(alice)
    assert 23 * 60 < minutes_left() <= 24 * 60


def test_what_is_old_is_shown_until_the_worker_has_looked_anew(alice, knows_carol, bob):
    dave = person("dave")
    reasons(alice)
    past = (datetime.now(UTC) - timedelta(minutes=1)).isoformat(timespec="seconds")
    change(Suggestions, keys.suggestions(alice.user_id), [Suggestions.fresh_until.set(past)])
    follow(by=bob, user_id=dave.user_id)
    assert [one.person.handle for one in shown(viewer=alice)] == ["carol"]
    assert list(reasons(alice)) == ["carol", "dave"]
    assert get(Suggestions, keys.suggestions(alice.user_id)).fresh_until > past


def test_where_most_that_one_looks_at_are_left_out_the_next_ones_come(alice, table):
    [near] = crowd(1)
    far = crowd(MOST_KEPT, "far")
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in far])
    first = list(reasons(alice))
    assert len(first) == MOST
    follow_each([alice.user_id], [one.user_id for one in far if one.handle in first[:-4]])
    assert len(reasons(alice)) == MOST
    assert list(reasons(alice))[:4] == first[-4:]


# Bounds


def test_thirty_are_kept_in_less_than_four_kilobytes(alice, table):
    [near] = crowd(1)
    follow_each([alice.user_id], [near.user_id])
    follow_each([near.user_id], [one.user_id for one in crowd(60, "far")])
    assert len(recommend_people(alice.user_id)) == MOST_KEPT
    people_you_may_know(viewer=alice)
    key = keys.suggestions(alice.user_id)
    assert len(str(fetch([key])[key])) < 4096


def test_of_many_whom_one_follows_every_so_many_th_is_asked(alice):
    near, far = crowd(200, "near"), crowd(200, "far")
    follow_each([alice.user_id], [one.user_id for one in near])
    for one, other in zip(near, far, strict=True):
        follow_each([one.user_id], [other.user_id])
    asked = {one.via for one in recommend_people(alice.user_id)}
    assert asked == set(sorted(one.user_id for one in near)[:: 200 // ASKED])


def test_friends_are_asked_first(alice, bob, carol):
    befriend(alice, bob)
    befriend(bob, carol)
    follow_each([alice.user_id], [one.user_id for one in crowd(100, "near")])
    assert reasons(alice) == {"carol": "Friends with Bob Brandt"}


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
@pytest.mark.parametrize(("size", "most"), [(3, 11), (10, 26)])
def test_showing_what_is_kept_costs_three_calls(alice, measure, size, most):
    near_ids, far_ids = ([one.user_id for one in crowd(30, name)] for name in ("near", "far"))
    follow_each([alice.user_id], near_ids)
    follow_each(near_ids, far_ids)
    people_you_may_know(viewer=alice)
    with measure() as meter:
        assert len(shown(viewer=alice, size=size)) == size
    assert [call.operation for call in meter.calls] == ["BatchGetItem", "Query", "BatchGetItem"]
    assert meter.read_units <= most

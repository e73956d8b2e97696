"""What a relation copied of the other person follows their profile, by a job of the stream worker."""

import pytest

from accounts.profile.writes import edit_profile
from relations import stream_handlers
from relations.friends.writes import accept_friend, request_friend
from relations.models import Relation, RelationType
from relations.relation import create_relation, delete_relation, update_relation
from socialsite.streams.models import Job, JobKind
from socialsite.table import get, keys
from tests.conftest import person
from tests.streams.crowd import jobs

STAR = RelationType.FAVOURITE


@pytest.fixture
def noted(alice, bob, carol, drain_stream):
    """Alice is Bob's friend, Carol has him as a favourite."""
    request_friend(by=alice, user_id=bob.user_id)
    accept_friend(by=bob, user_id=alice.user_id)
    create_relation(by=carol, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    drain_stream()


def place(viewer, kind, other):
    return get(Relation, keys.relation(viewer.user_id, kind, other.user_id)).location


def moves(viewer, location):
    edit_profile(by=viewer, name=viewer.name, bio="", location=location)


def test_friends_and_who_has_a_star_for_them_learn_where_somebody_lives(
    noted, alice, bob, carol, drain_stream
):
    moves(bob, "Leipzig")
    drain_stream()
    assert place(alice, RelationType.FRIEND, bob) == "Leipzig"
    assert place(carol, RelationType.FAVOURITE, bob) == "Leipzig"
    assert not jobs(stream_handlers.JobKind.REFRESH)


def test_what_is_removed_from_the_profile_is_removed(noted, alice, bob, drain_stream):
    for location in ("Leipzig", ""):
        moves(bob, location)
        drain_stream()
    assert place(alice, RelationType.FRIEND, bob) is None


def test_the_order_in_lists_stays(noted, alice, bob, drain_stream):
    key = keys.relation(alice.user_id, RelationType.FRIEND, bob.user_id)
    before = get(Relation, key).update_time
    moves(bob, "Leipzig")
    drain_stream()
    assert get(Relation, key).update_time == before


def test_an_ended_relation_keeps_what_it_had(noted, bob, carol, drain_stream):
    delete_relation(by=carol, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    moves(bob, "Leipzig")
    drain_stream()
    assert place(carol, RelationType.FAVOURITE, bob) is None


def test_many_are_refreshed_step_by_step(noted, bob, drain_stream, monkeypatch):
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 3)
    fans = [person(f"fan{number}") for number in range(7)]
    for fan in fans:
        create_relation(by=fan, relation_type=RelationType.FAVOURITE, user_id=bob.user_id)
    moves(bob, "Leipzig")
    drain_stream()
    assert {place(fan, RelationType.FAVOURITE, bob) for fan in fans} == {"Leipzig"}


def test_one_that_its_owner_changes_between_two_steps_is_refreshed_too(
    noted, bob, drain_stream, monkeypatch
):
    """Its `update_time` moves it to the end of the index."""
    monkeypatch.setattr(stream_handlers, "PEOPLE_A_STEP", 2)
    fans = [person(f"fan{number}") for number in range(5)]
    for fan in fans:
        create_relation(by=fan, relation_type=STAR, user_id=bob.user_id)
    moves(bob, "Leipzig")
    cursors = ["2"]
    while cursors[-1]:
        job = Job.new(kind=JobKind.REFRESH, job_id="j", subject_id=bob.user_id, cursor=cursors[-1])
        cursors.append(stream_handlers.refresh_step(job).cursor or "")
        for fan in fans[len(cursors) - 1 :: 2]:  # of those that are still to come
            update_relation(by=fan, relation_type=STAR, user_id=bob.user_id, tags={"x"})
        assert len(cursors) < 20
    assert {place(fan, STAR, bob) for fan in fans} == {"Leipzig"}


def test_a_job_that_an_older_site_began_at_the_newest_goes_over_all(
    noted, bob, carol, drain_stream
):
    moves(bob, "Leipzig")
    oldest = "2 2020-01-01T00:00:00+00:00"  # all after that were done, and none was before
    job = Job.new(kind=JobKind.REFRESH, job_id="j", subject_id=bob.user_id, cursor=oldest)
    stream_handlers.refresh_step(job)
    assert place(carol, STAR, bob) == "Leipzig"


def test_other_changes_of_the_profile_enter_no_job(noted, bob, drain_stream, measure):
    edit_profile(by=bob, name="Robert", bio="Hello", location="")
    drain_stream()
    assert not jobs(stream_handlers.JobKind.REFRESH)

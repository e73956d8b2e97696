"""The standing wish that posts are deleted at some age: the clock starts a run once a day, and the worker carries it
out."""

from datetime import datetime, timedelta

import pytest

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from feed.publishing.changes import pin_post, unpin_post
from privacy.old_posts import reads
from privacy.old_posts.reads import (
    Choice,
    Kept,
    Kind,
    count_old_posts,
    find_wish,
    get_old_posts,
    newest_to_go,
)
from privacy.old_posts.stream import carry_out_wish
from privacy.old_posts.writes import AlreadyDeleting, keep_old_posts
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.change import type_of
from socialsite.streams.models import Job, JobKind
from socialsite.table import keys, write_batch
from tests.conftest import post
from tests.feed.answers import answer
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict
from tests.privacy.old import (
    ALL,
    EVERYTHING,
    a_day_of_work,
    days_ago,
    delete_all,
    keeping,
    old_post,
    old_repost,
    own,
    planned,
    wish,
)
from tests.streams.crowd import jobs
from tests.streams.records import handle_all, unread


def next_run_of(person) -> datetime:
    (due,) = planned()
    assert due.subject == person.user_id
    state = get_old_posts(person)
    assert due.facts["planned"] == state.next_run.isoformat()
    return state.next_run


def test_what_has_reached_the_age_goes_and_the_next_day_is_planned(alice, bob, drain_stream):
    old_post(alice, 31)
    theirs = post(bob)
    with days_ago(30.01):
        answer(alice, bob, theirs)
    old_repost(alice, bob, theirs, 400)
    younger, new = old_post(alice, 29.9), post(alice)
    drain_stream()
    wish(alice, 30)
    begun = next_run_of(alice)
    a_day_of_work(drain_stream)
    assert own(alice) == [younger, new]
    assert get_user_info(alice.user_id).posts == 2
    assert next_run_of(alice) == begun + timedelta(days=1)
    assert get_old_posts(alice).deleted == 3
    a_day_of_work(drain_stream)
    assert next_run_of(alice) == begun + timedelta(days=1)
    a_day_of_work(drain_stream, day=1.01)
    assert own(alice) == [new]
    assert (next_run_of(alice), get_old_posts(alice).deleted) == (begun + timedelta(days=2), 1)
    assert broken_invariants() == {}


def test_days_without_a_worker_are_left_out(alice, drain_stream):
    wish(alice)
    begun = next_run_of(alice)
    a_day_of_work(drain_stream, day=9.5)
    assert next_run_of(alice) == begun + timedelta(days=10)


def test_pinned_posts_go_once_they_are_no_longer_pinned(alice, drain_stream):
    pinned, _ = old_post(alice), old_post(alice)
    pin_post(by=alice, post_id=pinned)
    wish(alice, choice=keeping(Kept.PINNED))
    a_day_of_work(drain_stream)
    assert own(alice) == [pinned]
    unpin_post(by=alice, post_id=pinned)
    a_day_of_work(drain_stream, day=1.5)
    assert own(alice) == []


@pytest.mark.parametrize("away", ["paused", "suspended", "frozen"])
def test_it_goes_on_for_people_who_are_away_or_restricted(alice, drain_stream, away):
    old_post(alice)
    wish(alice)
    if away == "paused":
        pause_account(by=alice)
    else:
        restrict(alice, Restriction(away))
    a_day_of_work(drain_stream)
    assert own(alice) == []
    assert len(planned()) == 1


def test_it_ends_with_the_person(alice, drain_stream):
    wish(alice)
    write_batch(deletes=[keys.old_posts_wish(alice.user_id)])
    a_day_of_work(drain_stream)
    assert planned() == []
    assert not jobs(JobKind.DELETE_POSTS)


def test_a_day_that_comes_twice_starts_one_run(alice, drain_stream):
    """The clock's process died after the work, or two of them took it up."""
    gone, later = old_post(alice), old_post(alice, 29.5)
    wish(alice)
    (due,) = planned()
    do_due()
    carry_out_wish(due)
    assert len(jobs(JobKind.DELETE_POSTS)) == len(planned()) == 1
    drain_stream()
    assert own(alice) == [later]
    assert gone not in own(alice)


def test_a_run_that_is_still_under_way_is_left_alone(alice, drain_stream):
    post(alice)
    wish(alice)
    delete_all(alice, keeping(Kept.PINNED))
    do_due()
    (job,) = jobs(JobKind.DELETE_POSTS)
    assert Kept.PINNED in job.chosen
    assert next_run_of(alice) > utc_now()
    drain_stream()
    assert own(alice) == []


def test_turning_it_off_ends_the_plan_and_the_run(alice, drain_stream):
    kept = old_post(alice)
    wish(alice)
    do_due()
    keep_old_posts(by=alice)
    keep_old_posts(by=alice)
    a_day_of_work(drain_stream, day=2)
    assert own(alice) == [kept]
    assert planned() == []
    assert (get_old_posts(alice).days, get_old_posts(alice).next_run) == (0, None)


def test_another_wish_replaces_the_first(alice, drain_stream):
    old_post(alice, 400), (kept := old_post(alice, 100))
    wish(alice, 30)
    wish(alice, 30)
    assert len(planned()) == 1
    (stale,) = planned()
    wish(alice, 365)
    assert len(planned()) == 1
    carry_out_wish(stale)
    assert not jobs(JobKind.DELETE_POSTS)
    a_day_of_work(drain_stream)
    assert own(alice) == [kept]
    keep_old_posts(by=alice)
    wish(alice, 90)
    a_day_of_work(drain_stream)
    assert own(alice) == []


def test_it_cannot_be_changed_while_posts_are_being_deleted(alice):
    delete_all(alice)
    with pytest.raises(AlreadyDeleting):
        wish(alice)
    assert planned() == []
    assert find_wish(alice.user_id).days is None


def test_the_preview_counts_what_would_go(alice, bob, monkeypatch):
    theirs = post(bob)
    pinned, _, _ = (old_post(alice) for _ in range(3))
    pin_post(by=alice, post_id=pinned)
    with days_ago(40):
        answer(alice, bob, theirs)
    old_repost(alice, bob, theirs)
    post(alice)

    def preview_of(choice: Choice):
        found = count_old_posts(alice, choice=choice, until=newest_to_go(30))
        return found.posts, found.replies, found.reposts, found.there_are_more

    assert preview_of(EVERYTHING) == (3, 1, 1, False)
    assert preview_of(Choice(ALL - {Kind.REPLIES}, frozenset(Kept))) == (2, 0, 1, False)
    monkeypatch.setattr(reads, "LOOKED_AT", 2)
    assert preview_of(EVERYTHING) == (2, 0, 0, True)


@pytest.mark.engines("embedded", reason="the others report other capacity")
def test_what_a_day_costs(alice, drain_stream, measure):
    for _ in range(25):
        old_post(alice)
    drain_stream()
    with measure() as meter:
        wish(alice)
    assert [(call.operation, call.units) for call in meter.calls] == [
        *(("GetItem", 1), ("TransactWriteItems", 6)),
    ]
    (due,) = planned()
    with measure() as meter:
        carry_out_wish(due)
    assert [(call.operation, call.units) for call in meter.calls] == [
        *(("GetItem", 1), ("TransactWriteItems", 8)),
    ]
    records = [one for one in unread() if type_of(one) == Job.__name__]
    with measure() as meter:
        handle_all(records)
    assert [call.operation for call in meter.calls] == [
        *("GetItem", "Query", "BatchGetItem", "TransactWriteItems"),
    ]
    assert meter.calls[-1].units == 6 * 20 + 2 * 3

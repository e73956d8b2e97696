"""Old posts are deleted as their author wished."""

from datetime import datetime, timedelta

import pytest

from accounts.people.reads import get_user_info
from accounts.people.restrictions import Restriction
from accounts.profile.writes import pause_account
from feed.likes.reads import get_like_count
from feed.likes.writes import like_post
from feed.posts.content_checks import Verdict
from feed.posts.models import Audience, Withheld
from feed.publishing.changes import pin_post, unpin_post
from feed.publishing.writes import publish_post
from feed.saved.writes import save_post
from privacy.old_posts import reads, stream
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
from privacy.old_posts.writes import AlreadyDeleting, keep_old_posts, stop_deleting
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.change import type_of
from socialsite.streams.jobs import STEPS
from socialsite.streams.models import Job, JobKind
from socialsite.table import keys, write_batch
from tests.conftest import post
from tests.feed.scenes import answer
from tests.iam.recorder import acting_as
from tests.looks import broken_invariants, due_items
from tests.moderation.cases import restrict
from tests.privacy.lives import (
    ALL,
    EVERYTHING,
    a_day_of_work,
    days_ago,
    delete_all,
    keeping,
    old_post,
    old_repost,
    own,
    wish,
)
from tests.streams.crowd import jobs
from tests.streams.records import everything, handle_all, unread

# The standing wish that posts are deleted at some age: the clock starts a run once a day, and the worker carries
# it out.


def next_run_of(person) -> datetime:
    (due,) = due_items()
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
    assert len(due_items()) == 1


def test_it_ends_with_the_person(alice, drain_stream):
    wish(alice)
    write_batch(deletes=[keys.old_posts_wish(alice.user_id)])
    a_day_of_work(drain_stream)
    assert due_items() == []
    assert not jobs(JobKind.DELETE_POSTS)


def test_a_day_that_comes_twice_starts_one_run(alice, drain_stream):
    """The clock's process died after the work, or two of them took it up."""
    gone, later = old_post(alice), old_post(alice, 29.5)
    wish(alice)
    (due,) = due_items()
    do_due()
    carry_out_wish(due)
    assert len(jobs(JobKind.DELETE_POSTS)) == len(due_items()) == 1
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
    assert due_items() == []
    assert (get_old_posts(alice).days, get_old_posts(alice).next_run) == (0, None)


def test_another_wish_replaces_the_first(alice, drain_stream):
    old_post(alice, 400), (kept := old_post(alice, 100))
    wish(alice, 30)
    wish(alice, 30)
    assert len(due_items()) == 1
    (stale,) = due_items()
    wish(alice, 365)
    assert len(due_items()) == 1
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
    assert due_items() == []
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
    (due,) = due_items()
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


# All posts of a person are deleted at once: by the worker, each once, as if their author had deleted them one by
# one.


@pytest.fixture
def small_steps(monkeypatch) -> None:
    monkeypatch.setattr(stream, "POSTS_A_STEP", 2)


def save(by, post_id: str, author=None) -> None:
    save_post(by=by, post_id=post_id, author_id=(author or by).user_id)


def test_posts_replies_and_reposts_go_with_all_that_belongs_to_them(
    alice, bob, drain_stream, small_steps
):
    theirs = post(bob, "#tea @alice")
    posts = [post(alice, f"#tag @bob {number}") for number in range(5)]
    answered = answer(alice, bob, theirs)
    answer(bob, alice, posts[0])
    old_repost(alice, bob, theirs)
    old_repost(bob, alice, posts[1])
    closed = publish_post(by=alice, content="Sh!", nonce="n", audience=Audience.FRIENDS)
    like_post(by=bob, post_id=posts[2], author_id=alice.user_id)
    like_post(by=alice, post_id=theirs, author_id=bob.user_id)
    drain_stream()
    assert len(own(alice)) == len({*posts, answered, closed, "a repost"})
    delete_all(alice)
    later = post(alice)
    drain_stream()
    assert own(alice) == [later]
    assert get_user_info(alice.user_id).posts == 1
    counts = get_like_count(theirs)
    assert counts == 1
    assert not jobs(JobKind.DELETE_POSTS)
    assert broken_invariants() == {}


@pytest.mark.parametrize("kind", list(Kind))
def test_only_what_was_chosen_goes(alice, bob, drain_stream, kind):
    theirs = post(bob)
    first = {Kind.POSTS: post(alice), Kind.REPLIES: answer(alice, bob, theirs)}
    old_repost(alice, bob, theirs, days=1)
    there = own(alice)
    first[Kind.REPOSTS] = there[0]
    delete_all(alice, Choice(frozenset({kind}), frozenset()))
    drain_stream()
    assert own(alice) == [one for one in there if one != first[kind]]
    assert broken_invariants() == {}


def test_pinned_and_saved_posts_stay_where_that_is_chosen(alice, bob, drain_stream):
    pinned, saved, gone = post(alice), post(alice), post(alice)
    pin_post(by=alice, post_id=pinned)
    save(alice, saved)
    save(bob, gone, author=alice)
    delete_all(alice, keeping(Kept.PINNED, Kept.SAVED))
    drain_stream()
    assert own(alice) == [pinned, saved]
    delete_all(alice, keeping(Kept.SAVED))
    drain_stream()
    assert own(alice) == [saved]
    delete_all(alice)
    drain_stream()
    assert own(alice) == []


@pytest.mark.parametrize("keep", [pin_post, save])
def test_a_post_that_is_kept_while_the_step_is_made_stays(alice, drain_stream, monkeypatch, keep):
    _, kept = post(alice), post(alice)
    drain_stream()
    real, asked = stream.which_go, []

    def keep_in_between(*args, **kwargs):
        going = real(*args, **kwargs)
        if not asked:
            acting_as("web", instead_of="worker")(keep)(by=alice, post_id=kept)
        asked.append(going)
        return going

    monkeypatch.setattr(stream, "which_go", keep_in_between)
    delete_all(alice, keeping(Kept.PINNED, Kept.SAVED))
    drain_stream()
    assert own(alice) == [kept]
    assert len(asked) == 2


def test_a_withheld_post_goes_and_was_not_counted(alice, drain_stream):
    publish_post(by=alice, content="Wait", nonce="n", verdict=Verdict(withheld=Withheld.HELD))
    drain_stream()
    assert get_user_info(alice.user_id).posts == 0
    delete_all(alice, keeping(Kept.PINNED))
    drain_stream()
    assert own(alice) == []
    assert get_user_info(alice.user_id).posts == 0
    assert broken_invariants() == {}


def test_a_step_made_twice_deletes_and_counts_once(alice, drain_stream, small_steps):
    """A worker that died, or was frozen, makes its step again when all is done."""
    for _ in range(5):
        post(alice)
    drain_stream()
    delete_all(alice)
    records = unread()
    handle_all(records)
    done = everything()
    assert len(own(alice)) == 3
    handle_all(records)
    assert everything() == done
    drain_stream()
    assert own(alice) == []
    assert get_old_posts(alice).deleted == 5
    assert get_user_info(alice.user_id).posts == 0


def test_what_was_stopped_goes_no_further(alice, drain_stream, small_steps):
    posts = [post(alice) for _ in range(5)]
    drain_stream()
    delete_all(alice)
    first = unread()
    handle_all(first)
    stop_deleting(by=alice)
    stop_deleting(by=alice)
    drain_stream()
    handle_all(first)
    assert own(alice) == posts[2:]
    assert (get_old_posts(alice).deleted, get_old_posts(alice).is_running) == (2, False)
    assert broken_invariants() == {}


def test_it_is_under_way_once(alice):
    delete_all(alice, keeping(Kept.PINNED))
    with pytest.raises(AlreadyDeleting):
        delete_all(alice)
    (job,) = jobs(JobKind.DELETE_POSTS)
    assert Kept.PINNED in job.chosen


def test_a_person_who_is_erased_meanwhile_ends_it(alice, drain_stream):
    post(alice)
    delete_all(alice)
    write_batch(deletes=[keys.old_posts_wish(alice.user_id)])
    drain_stream()
    assert len(own(alice)) == 1
    assert not jobs(JobKind.DELETE_POSTS)


def test_many_kept_posts_are_walked_in_few_steps(alice, drain_stream, monkeypatch, small_steps):
    monkeypatch.setattr(stream, "PAGES_A_STEP", 3)
    for _ in range(13):
        post(alice)
    drain_stream()
    delete_all(alice, Choice(frozenset({Kind.REPLIES}), frozenset()))
    taken = []
    real = STEPS[JobKind.DELETE_POSTS]
    monkeypatch.setitem(STEPS, JobKind.DELETE_POSTS, lambda job: taken.append(job) or real(job))
    drain_stream()
    assert len(taken) == 3
    assert len(own(alice)) == 13

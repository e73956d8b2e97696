"""Jobs: a post to many reaches each follower once, step by step, and holds nobody else up."""

from datetime import UTC, datetime, timedelta

import pytest

from feed.publishing.writes import delete_post
from relations.follows.writes import follow
from socialsite.streams.change import read_change
from socialsite.streams.dispatch import dispatch
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from tests.conftest import post
from tests.streams.absence import last_here
from tests.streams.crowd import crowd, gather, home, jobs, reached
from tests.streams.records import everything, handle_all, unread

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def small_steps(settings):
    settings.FAN_OUT_INLINE = 3
    settings.FAN_OUT_STEP = 5


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


@pytest.fixture
def fans(alice, worker):
    """Twelve people who follow Alice: two steps and a last one."""
    found = gather(crowd(12), alice)
    worker.drain()
    return found


def day_before(days: int) -> str:
    return (datetime.now(UTC) - days * DAY).date().isoformat()


def test_a_post_to_few_is_fanned_out_at_once_without_a_job(alice, worker, settings):
    few = gather(crowd(settings.FAN_OUT_INLINE), alice)
    worker.drain()
    post_id = post(alice)
    worker.step()
    assert reached(few, post_id, alice) == len(few)
    assert not jobs(JobKind.FAN_OUT)


def test_a_post_to_many_is_entered_as_a_job_first(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    (job,) = jobs(JobKind.FAN_OUT)
    assert (job.subject_id, job.author_id) == (post_id, alice.user_id)
    assert (job.done, job.total) == (0, 12)
    assert reached(fans, post_id, alice) == 0


def test_the_job_tells_its_progress_and_goes_when_it_is_done(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    progress = []
    while found := jobs(JobKind.FAN_OUT):
        progress.append((int(found[0].done), reached(fans, post_id, alice)))
        worker.step()
    assert progress == [(0, 0), (5, 5), (10, 10)]
    assert reached(fans, post_id, alice) == 12


@pytest.mark.parametrize("followers", [4, 5, 6, 9, 10, 11])
def test_everybody_is_reached_whatever_the_number_of_followers(alice, worker, followers):
    fans = gather(crowd(followers), alice)
    worker.drain()
    post_id = post(alice)
    worker.drain()
    assert reached(fans, post_id, alice) == followers
    assert not jobs(JobKind.FAN_OUT)


def test_every_follower_sees_the_post_once(alice, fans, worker):
    post_ids = [post(alice) for _ in range(2)]
    worker.drain()
    assert all(home(fan) == post_ids[::-1] for fan in fans)


def test_another_persons_post_gets_through_between_two_steps(alice, bob, carol, fans, worker):
    follow(by=carol, user_id=bob.user_id)
    worker.drain()
    post(alice)
    worker.step()
    worker.step()
    quick = post(bob)
    worker.step()
    assert jobs(JobKind.FAN_OUT)
    assert home(carol) == [quick]


def test_several_jobs_go_on_side_by_side(alice, fans, worker):
    posts = [post(alice) for _ in range(3)]
    worker.step()
    worker.step()
    assert [reached(fans, post_id, alice) for post_id in posts] == [5, 5, 5]
    worker.drain()
    assert [reached(fans, post_id, alice) for post_id in posts] == [12, 12, 12]


def test_a_step_that_is_handled_twice_is_made_once(alice, fans, worker):
    post(alice)
    worker.step()
    (record,) = [one for one in unread() if one["dynamodb"]["NewImage"]["type"] == {"S": "Job"}]
    step = read_change(record)
    dispatch(step, Ledger())
    after_first = everything()
    dispatch(step, Ledger())
    assert everything() == after_first
    assert int(jobs(JobKind.FAN_OUT)[0].done) == 5


def test_the_last_step_handled_again_does_not_bring_the_job_back(alice, fans, worker):
    post(alice)
    worker.step()
    records = unread()
    worker.drain()
    handle_all(records)
    assert not jobs(JobKind.FAN_OUT)


def test_a_worker_that_takes_over_goes_on_with_the_job(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    worker.step()
    worker.give_up()
    Worker().drain()
    assert reached(fans, post_id, alice) == 12
    assert not jobs(JobKind.FAN_OUT)


def test_who_follows_while_the_job_runs_misses_nothing(alice, bob, fans, worker):
    post_id = post(alice)
    worker.step()
    worker.step()
    follow(by=bob, user_id=alice.user_id)
    worker.drain()
    assert home(bob) == [post_id]


def test_a_post_that_is_deleted_while_its_job_runs_is_nowhere(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    worker.step()
    delete_post(by=alice, post_id=post_id)
    worker.drain()
    assert not jobs(JobKind.FAN_OUT)
    assert not any(home(fan) for fan in fans)


def test_a_fan_out_with_several_calls_under_way_reaches_the_same_people(alice, worker, settings):
    settings.FAN_OUT_STEP, settings.FAN_OUT_AT_ONCE = 100, 4
    fans = gather(crowd(60), alice)
    worker.drain()
    post_id = post(alice)
    worker.drain()
    assert reached(fans, post_id, alice) == 60


@pytest.mark.parametrize("inline", [3, 500])
def test_who_was_not_here_for_long_gets_nothing(alice, bob, worker, settings, inline):
    settings.FAN_OUT_INLINE = inline
    present, absent = gather(crowd(3), alice), gather(crowd(3), alice)
    for people, days in ((present, 0), (absent, 1)):
        for one in people:
            last_here(one, day_before(settings.ABSENT_AFTER_DAYS + days))
    worker.drain()
    post_id = post(alice)
    worker.drain()
    assert reached(present, post_id, alice) == 3
    assert reached(absent, post_id, alice) == 0

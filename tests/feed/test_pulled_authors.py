"""Authors whom very many follow: their posts are not fanned out but merged in by each reader."""

import pytest

from accounts.models import CROSSING, PULLED
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from feed.publishing.writes import delete_post
from relations.follows.writes import follow, unfollow
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from tests.conftest import post
from tests.streams.crowd import crowd, gather, home, jobs, reached, returning


@pytest.fixture(autouse=True)
def small_steps(settings):
    settings.PULL_ABOVE = 2
    settings.FAN_OUT_STEP = 5  # one follower in a step of crossing


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


@pytest.fixture
def fans(alice, worker):
    """Three people who follow Alice: one more than the limit."""
    found = gather(crowd(3), alice)
    worker.drain()
    return found


@pytest.fixture
def pulled(alice, fans, worker):
    """Alice's posts are pulled from now on; her first post, which is still fanned out."""
    first = post(alice)
    worker.drain()
    assert state(alice) == PULLED
    return first


def state(author: Viewer) -> str:
    return get_user_info(author.user_id).reading


def pulls(one: Viewer, author: Viewer) -> bool:
    return author.user_id in returning(one).pulled


def test_at_the_limit_an_author_is_still_fanned_out(alice, worker, settings):
    gather(crowd(settings.PULL_ABOVE), alice)
    post(alice)
    worker.drain()
    assert state(alice) == ""


def test_the_first_post_above_the_limit_begins_the_crossing(alice, fans, worker):
    post(alice)
    worker.step()
    assert state(alice) == CROSSING
    (job,) = jobs(JobKind.CROSS_TO_PULL)
    assert (job.subject_id, int(job.total)) == (alice.user_id, 3)


def test_the_crossing_teaches_one_follower_after_the_other_and_then_ends(alice, fans, worker):
    post(alice)
    worker.step()
    learned = []
    while state(alice) == CROSSING:
        learned.append(sum(pulls(fan, alice) for fan in fans))
        worker.step()
    assert learned == [0, 1, 2, 3]
    assert state(alice) == PULLED
    worker.drain()
    assert not jobs(JobKind.CROSS_TO_PULL)


def test_posts_are_fanned_out_until_the_crossing_is_over(alice, fans, worker):
    post(alice)
    worker.step()
    during = post(alice)
    worker.step()
    assert reached(fans, during, alice) == 3


def test_a_second_post_does_not_begin_a_second_crossing(alice, fans, worker):
    for _ in range(3):
        post(alice)
        worker.step()
    assert len(jobs(JobKind.CROSS_TO_PULL)) == 1


def test_a_crossing_whose_worker_died_before_its_commit_is_ended_by_the_next(
    alice, fans, worker, monkeypatch
):
    post_id = post(alice)

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "commit", die)
    with pytest.raises(KeyboardInterrupt):
        worker.step()
    monkeypatch.undo()
    worker.give_up()
    Worker().drain()
    assert state(alice) == PULLED
    assert all(home(fan) == [post_id] for fan in fans)


def test_a_pulled_authors_post_is_in_no_followers_partition_and_in_every_timeline(
    alice, fans, pulled, worker
):
    post_id = post(alice)
    worker.drain()
    assert reached(fans, post_id, alice) == 0
    assert all(home(fan) == [post_id, pulled] for fan in fans)


def test_a_pulled_post_is_read_as_soon_as_the_worker_has_put_it_into_its_authors_list(
    alice, fans, pulled, worker
):
    post_id = post(alice)
    assert home(fans[0]) == [pulled]
    worker.step()
    assert home(fans[0]) == [post_id, pulled]


def test_a_post_that_comes_both_ways_is_shown_once(alice, fans, pulled):
    assert reached(fans, pulled, alice) == 3
    assert home(fans[0]) == [pulled]


def test_a_deleted_post_is_gone_for_who_pulls(alice, fans, pulled, worker):
    post_id = post(alice)
    worker.drain()
    delete_post(by=alice, post_id=post_id)
    assert home(fans[0]) == [pulled]


def test_the_author_sees_the_own_posts_once(alice, fans, pulled, worker):
    post_id = post(alice)
    worker.drain()
    assert home(alice) == [post_id, pulled]


def test_a_new_follower_pulls_and_sees_earlier_posts(alice, bob, fans, pulled, worker):
    second = post(alice)
    follow(by=bob, user_id=alice.user_id)
    worker.drain()
    assert pulls(bob, alice)
    assert home(bob) == [second, pulled]
    third = post(alice)
    worker.drain()
    assert home(bob) == [third, second, pulled]


def test_who_unfollows_forgets_to_pull(alice, fans, pulled, worker):
    post(alice)
    unfollow(by=fans[0], user_id=alice.user_id)
    worker.drain()
    assert not pulls(fans[0], alice)
    assert home(fans[0]) == []
    post(alice)
    worker.drain()
    assert home(fans[0]) == []
    assert len(home(fans[1])) == 3


def test_who_follows_again_pulls_again(alice, fans, pulled, worker):
    unfollow(by=fans[0], user_id=alice.user_id)
    follow(by=fans[0], user_id=alice.user_id)
    worker.drain()
    assert pulls(fans[0], alice)
    assert home(fans[0]) == [pulled]


def test_an_author_who_loses_followers_is_pulled_all_the_same(alice, fans, pulled, worker):
    for fan in fans[:2]:
        unfollow(by=fan, user_id=alice.user_id)
    post_id = post(alice)
    worker.drain()
    assert state(alice) == PULLED
    assert reached(fans, post_id, alice) == 0
    assert home(fans[2]) == [post_id, pulled]

"""Someone comes back after a long time, and their timeline is built anew."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.models import SignIn
from accounts.people.viewer import Viewer
from accounts.sessions import get_viewer, hash_secret, keep_signed_in
from accounts.sign_in.writes import sign_in
from feed.posts.models import Post
from feed.timelines.stream import PEOPLE_A_STEP
from relations.blocks.writes import mute
from relations.follows.writes import follow, unfollow
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import change, ids, keys, write_batch
from tests.conftest import post
from tests.streams.absence import come_back, leave, pointers
from tests.streams.crowd import crowd, jobs
from tests.streams.records import everything, handle_all, unread


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


def post_at(author: Viewer, days: float) -> str:
    """A post of so many days ago."""
    post_id = ids.id_at(datetime.now(UTC) - timedelta(days=days), os.urandom(10))
    write_batch(puts=[Post.new(post_id=post_id, author_id=author.user_id, content="Long ago")])
    return post_id


def test_signing_in_again_builds_the_timeline(alice, bob, worker):
    follow(by=bob, user_id=alice.user_id)
    leave(bob, worker, days=31)
    post_id = post(alice)
    worker.drain()
    assert not pointers(bob)
    come_back(bob)
    worker.drain()
    assert pointers(bob) == [post_id]


def test_staying_signed_in_builds_it_too(alice, bob, worker):
    secret = sign_in(user_id=bob.user_id, browser="tests")
    follow(by=bob, user_id=alice.user_id)
    leave(bob, worker, days=40)
    post_id = post(alice)
    worker.drain()
    keep_signed_in(by=get_viewer(bob.user_id, hash_secret(secret))[0])
    worker.drain()
    assert pointers(bob) == [post_id]


def test_opening_a_page_with_an_old_sign_in_builds_it(alice, bob, worker, log_in):
    browser = log_in(bob)
    follow(by=bob, user_id=alice.user_id)
    leave(bob, worker, days=40)
    session = browser.session
    key = keys.sign_in(session[SESSION_USER], hash_secret(session[SESSION_SECRET]))
    change(SignIn, key, [SignIn.seen.set("2020-01-01")])
    post_id = post(alice)
    worker.drain()
    browser.get("/")
    worker.drain()
    assert pointers(bob) == [post_id]


def test_each_followed_persons_newest_posts_are_back_and_no_older_ones(
    alice, bob, carol, worker, settings
):
    settings.BACKFILL_POSTS = 3
    follow(by=bob, user_id=alice.user_id)
    follow(by=bob, user_id=carol.user_id)
    leave(bob, worker, days=60)
    by_alice = [post(alice) for _ in range(5)]
    too_old = post_at(carol, settings.TIMELINE_DAYS + 1)
    by_carol = [post_at(carol, settings.TIMELINE_DAYS - 1), post(carol)]
    worker.drain()
    come_back(bob)
    worker.drain()
    assert too_old not in pointers(bob)
    assert pointers(bob) == sorted([*by_alice[2:], *by_carol], reverse=True)


def test_people_unfollowed_meanwhile_stay_away(alice, bob, carol, worker):
    follow(by=bob, user_id=alice.user_id)
    follow(by=bob, user_id=carol.user_id)
    leave(bob, worker, days=31)
    unfollow(by=bob, user_id=alice.user_id)
    post(alice)
    kept = post(carol)
    worker.drain()
    come_back(bob)
    worker.drain()
    assert pointers(bob) == [kept]


@pytest.mark.parametrize("hours", [None, 1, -1], ids=["for ever", "still", "over"])
def test_who_is_muted_stays_away_until_the_mute_ends(alice, bob, carol, worker, hours):
    follow(by=bob, user_id=alice.user_id)
    follow(by=bob, user_id=carol.user_id)
    leave(bob, worker, days=31)
    until = datetime.now(UTC) + timedelta(hours=hours) if hours else None
    mute(by=bob, user_id=alice.user_id, until=until)
    worker.drain()
    by_alice, by_carol = post(alice), post(carol)
    worker.drain()
    come_back(bob)
    worker.drain()
    assert pointers(bob) == ([by_carol, by_alice] if hours == -1 else [by_carol])


def test_who_follows_many_gets_it_in_steps(bob, worker):
    people = crowd(PEOPLE_A_STEP + 2)
    for one in people:
        follow(by=bob, user_id=one.user_id)
    leave(bob, worker, days=31)
    posts = [post(one) for one in people]
    worker.drain()
    come_back(bob)
    worker.step()
    worker.step()
    (job,) = jobs(JobKind.REBUILD)
    assert (int(job.done), len(pointers(bob))) == (PEOPLE_A_STEP, PEOPLE_A_STEP)
    worker.drain()
    assert pointers(bob) == posts[::-1]
    assert not jobs(JobKind.REBUILD)


def test_a_post_during_the_return_is_neither_missed_nor_doubled(alice, bob, worker):
    follow(by=bob, user_id=alice.user_id)
    leave(bob, worker, days=31)
    before = post(alice)
    come_back(bob)
    after = post(alice)
    worker.drain()
    assert pointers(bob) == [after, before]


@pytest.mark.parametrize("days", [0, 1, 29])
def test_who_was_away_for_less_than_a_month_needs_no_rebuilding(bob, worker, days):
    leave(bob, worker, days=days)
    come_back(bob)
    worker.step()
    assert not jobs(JobKind.REBUILD)


def test_signing_in_twice_rebuilds_once(alice, bob, worker):
    leave(bob, worker, days=31)
    come_back(bob)
    come_back(bob)
    worker.step()
    assert len(jobs(JobKind.REBUILD)) == 1


def test_rebuilding_twice_gives_the_same_timeline(alice, bob, worker):
    follow(by=bob, user_id=alice.user_id)
    leave(bob, worker, days=31)
    post(alice)
    worker.drain()
    come_back(bob)
    worker.step()
    records = unread()
    worker.drain()
    built = everything()
    handle_all(records)
    assert everything() == built

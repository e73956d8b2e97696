"""Someone comes back after a long time, and no post is missed or doubled in whatever order things happen."""

import os
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.models import PULLED, SignIn
from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.sessions import get_viewer, hash_secret, keep_signed_in
from accounts.sign_in.writes import sign_in
from feed.posts.models import Audience, Post
from feed.publishing.writes import publish_post
from feed.timelines.stream import FRIENDS, PEOPLE_A_STEP, rebuild_step
from relations.blocks.writes import mute
from relations.follows.writes import follow, unfollow
from relations.friends.writes import end_friendship
from relations.models import RelationType
from relations.relation import update_relation
from socialsite.streams.models import Job, JobKind
from socialsite.streams.worker import Worker
from socialsite.table import change, ids, keys, measure, write_batch
from tests.conftest import person, post
from tests.injected.faults import share
from tests.relations.scenes import befriend
from tests.streams.crowd import come_back, crowd, gather, home, jobs, leave, open_home, pointers
from tests.streams.records import everything, handle_all, unread


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


# Someone comes back after a long time: what friends whom they do not follow said for friends is brought, too.


def for_friends(author: Viewer, circle: str = "") -> str:
    """Publishes a post for the author's friends, or for one circle of them."""
    audience = Audience.CIRCLE if circle else Audience.FRIENDS
    return publish_post(
        by=author, content="Hello", nonce=ids.new_id(), audience=audience, circle=circle
    )


def test_friends_who_do_not_follow_get_what_is_for_them_and_no_more(alice, bob, worker, settings):
    settings.BACKFILL_POSTS = 3
    befriend(alice, bob)
    tags = {"family"}
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags=tags)
    leave(bob, worker, days=31)
    posts = [for_friends(alice), for_friends(alice), for_friends(alice, "family")]
    for_friends(alice, "work")
    post(alice)
    posts.append(for_friends(alice))
    worker.drain()
    assert not pointers(bob)
    come_back(bob)
    worker.drain()
    assert pointers(bob) == posts[:0:-1]


def test_friends_who_are_muted_or_friends_no_more_stay_away(alice, bob, carol, worker):
    for one in (alice, carol):
        befriend(one, bob)
    leave(bob, worker, days=31)
    mute(by=bob, user_id=alice.user_id)
    end_friendship(by=bob, user_id=carol.user_id)
    for one in (alice, carol):
        for_friends(one)
    worker.drain()
    come_back(bob)
    worker.drain()
    assert not pointers(bob)


def test_who_has_many_friends_gets_them_in_steps_after_the_followed(alice, bob, worker):
    friends = crowd(PEOPLE_A_STEP + 2)
    for one in friends:
        befriend(one, bob)
    follow(by=bob, user_id=friends[0].user_id)
    follow(by=bob, user_id=alice.user_id)
    leave(bob, worker, days=31)
    open_ones = [post(one) for one in (friends[0], friends[1], alice)]
    posts = [for_friends(one) for one in friends]
    worker.drain()
    come_back(bob)
    worker.step()
    done = []
    for _ in range(2):
        worker.step()
        (job,) = jobs(JobKind.REBUILD)
        done.append((int(job.done), len(pointers(bob))))
    # The first friend is followed, so that both of their posts came with the first step.
    assert done == [(2, 3), (PEOPLE_A_STEP + 2, PEOPLE_A_STEP + 2)]
    worker.drain()
    assert pointers(bob) == [*posts[::-1], open_ones[2], open_ones[0]]
    assert not jobs(JobKind.REBUILD)


@pytest.mark.engines("embedded", reason="the others report other capacity")
@pytest.mark.parametrize(("cursor", "units", "queries"), [("", 21, 11), (FRIENDS[0], 30, 1)])
def test_a_step_asks_once_what_is_between_and_whom_one_follows_not_again(
    bob, cursor, units, queries
):
    for one in crowd(PEOPLE_A_STEP):
        befriend(one, bob)
        follow(by=bob, user_id=one.user_id)
    job = Job.new(kind=JobKind.REBUILD, job_id="job", subject_id=bob.user_id, cursor=cursor)
    with measure() as meter:
        rebuild_step(job)
    (asked,) = (call.units for call in meter.calls if call.operation == "BatchGetItem")
    assert asked == units
    assert [call.operation for call in meter.calls].count("Query") == queries


def test_rebuilding_twice_gives_friends_the_same_timeline(alice, bob, worker):
    befriend(alice, bob)
    leave(bob, worker, days=31)
    post_id = for_friends(alice)
    worker.drain()
    come_back(bob)
    worker.step()
    worker.step()
    records = unread()
    worker.drain()
    built = everything()
    handle_all(records)
    assert pointers(bob) == [post_id]
    assert everything() == built


# No post is missed or doubled in whatever order people post, follow, and an author crosses to pull.
#
# Nine of thirty orders, other ones each run; all of them with `FAULTS=long`.

# One follower in each step of the worker: crossing takes several, and things happen between them.
ORDERS = sorted(set(permutations(("post", "post", "follow", "step", "step"))))
PARTS = 3


@pytest.fixture
def small_steps(settings):
    settings.PULL_ABOVE = 1
    settings.FAN_OUT_STEP = 5


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("part", range(PARTS))
def test_every_order_of_posting_following_and_crossing_shows_each_post_once(table, part):
    for order in share(ORDERS[part::PARTS], one_of=4, salt=f"orders, part {part}"):
        play(order)


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("steps", range(6))
def test_who_unfollows_in_the_midst_of_the_crossing_sees_nothing_of_it(alice, bob, steps):
    fans = gather(crowd(2), alice)
    follow(by=bob, user_id=alice.user_id)
    worker = Worker()
    worker.drain()
    post_id = post(alice)
    for _ in range(steps):
        worker.step()
    unfollow(by=bob, user_id=alice.user_id)
    worker.drain()
    assert home(bob) == []
    assert all(home(fan) == [post_id] for fan in fans)


def play(order: tuple[str, ...]) -> None:
    """Plays the order for an author, an early and a late follower; what was seen once stays to be seen."""
    author, late = crowd(2)
    early = gather(crowd(2), author)[0]
    worker = Worker()
    worker.drain()
    posts: list[str] = []
    seen: set[str] = set()
    for action in order:
        if action == "post":
            posts.append(post(author))
        elif action == "follow":
            follow(by=late, user_id=author.user_id)
        else:
            worker.step()
            open_home(early)
            now = set(home(early))
            assert seen <= now, order
            seen = now
    worker.drain()
    assert get_user_info(author.user_id).reading == PULLED, order
    posts.append(post(author))  # is seen by those alone who learned to pull
    worker.drain()
    worker.give_up()
    assert home(early) == home(late) == posts[::-1], order


@pytest.mark.usefixtures("small_steps")
def test_a_post_published_while_pulled_and_before_its_handling_is_seen_once(alice):
    fans = gather(crowd(2), alice)
    worker = Worker()
    worker.drain()
    first = post(alice)
    worker.step()
    waiting = [post(alice) for _ in range(2)]
    while get_user_info(alice.user_id).reading != PULLED:
        worker.step()
    last = post(alice)
    worker.drain()
    assert all(home(fan) == [last, *waiting[::-1], first] for fan in fans)


@pytest.mark.usefixtures("small_steps")
def test_crossings_of_several_authors_at_once_teach_a_common_follower_all_of_them(bob, table):
    authors = [person(f"author_{number}") for number in range(3)]
    for author in authors:
        gather([*crowd(1), bob], author)
    worker = Worker()
    worker.drain()
    posts = [post(author) for author in authors]
    worker.drain()
    later = [post(author) for author in authors]
    worker.drain()
    assert home(bob) == [*later[::-1], *posts[::-1]]


@pytest.mark.usefixtures("small_steps")
def test_workers_in_turn_bring_a_crossing_to_its_end(alice):
    fans = gather(crowd(2), alice)
    post_id = post(alice)
    for _ in range(5):
        worker = Worker()
        worker.step()
        worker.give_up()
    Worker().drain()
    assert get_user_info(alice.user_id).reading == PULLED
    assert all(home(fan) == [post_id] for fan in fans)

"""Someone comes back after a long time: what friends whom they do not follow said for friends is brought, too."""

import pytest

from accounts.people.viewer import Viewer
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from feed.timelines.stream import FRIENDS, PEOPLE_A_STEP, rebuild_step
from relations.blocks.writes import mute
from relations.follows.writes import follow
from relations.friends.writes import end_friendship
from relations.models import RelationType
from relations.relation import update_relation
from socialsite.streams.models import Job, JobKind
from socialsite.streams.worker import Worker
from socialsite.table import ids, measure
from tests.conftest import post
from tests.relations.relations import befriend
from tests.streams.absence import come_back, leave, pointers
from tests.streams.crowd import crowd, jobs
from tests.streams.records import everything, handle_all, unread


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


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
@pytest.mark.parametrize(("cursor", "units", "queries"), [("", 10, 11), (FRIENDS[0], 30, 1)])
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

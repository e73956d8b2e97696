"""`manage.py reconcile`: who has no business in a timeline leaves it, and who has stays."""

import pytest
from django.core.management import call_command

from accounts.models import PULLED, UserInfo
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from relations.blocks.writes import mute
from relations.follows.writes import follow, unfollow
from relations.friends.writes import end_friendship
from socialsite.streams.worker import Worker, bulk_load
from socialsite.table import change, ids, keys, query
from tests.conftest import post
from tests.relations.relations import befriend
from tests.streams.crowd import home, returning


def applied() -> None:
    worker = Worker()
    worker.drain()
    worker.give_up()


def entries(viewer) -> list[str]:
    return [raw["post_id"]["S"] for raw in query(keys.timeline(viewer.user_id), forward=False)]


def test_posts_of_people_whose_unfollow_was_lost_leave_the_timeline(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    post_id = post(alice)
    applied()
    assert home(bob) == [post_id]
    with bulk_load():
        unfollow(by=bob, user_id=alice.user_id)
    own = post(bob)
    applied()
    assert home(bob) == [own, post_id]
    call_command("reconcile")
    assert home(bob) == [own]


def test_who_was_unfollowed_with_a_lost_record_is_no_longer_pulled(alice, bob):
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.reading.set(PULLED)])
    follow(by=bob, user_id=alice.user_id)
    post(alice)
    applied()
    assert returning(bob).pulled == (alice.user_id,)
    with bulk_load():
        unfollow(by=bob, user_id=alice.user_id)
    call_command("reconcile")
    assert returning(bob).pulled == ()
    assert home(returning(bob)) == []


def test_posts_of_muted_people_do_not_come_back(alice, bob):
    follow(by=bob, user_id=alice.user_id)
    mute(by=bob, user_id=alice.user_id)
    post(alice)
    own = post(bob)
    applied()
    call_command("reconcile")
    assert entries(bob) == [own]


@pytest.fixture
def for_friends(alice, bob) -> str:
    """A post of Alice for her friends in the timeline of Bob, a friend who does not follow her."""
    befriend(alice, bob)
    post_id = publish_post(by=alice, content="Hello", nonce=ids.new_id(), audience=Audience.FRIENDS)
    applied()
    assert home(bob) == [post_id]
    return post_id


def test_posts_for_friends_stay_with_friends_who_do_not_follow(for_friends, bob):
    call_command("reconcile")
    assert home(bob) == [for_friends]


def test_posts_of_somebody_who_is_a_friend_no_more_leave_the_timeline(for_friends, alice, bob):
    end_friendship(by=bob, user_id=alice.user_id)
    assert entries(bob) == [for_friends]
    call_command("reconcile")
    assert entries(bob) == []


def test_a_friend_who_was_unfollowed_with_a_lost_record_is_no_longer_pulled(alice, bob):
    befriend(alice, bob)
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.reading.set(PULLED)])
    follow(by=bob, user_id=alice.user_id)
    applied()
    with bulk_load():
        unfollow(by=bob, user_id=alice.user_id)
    call_command("reconcile")
    assert returning(bob).pulled == ()

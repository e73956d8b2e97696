"""A post comes to those who may see it now, and leaves where it does not belong any more; handled twice, the same."""

from itertools import permutations

import pytest

from feed.posts.models import Audience
from feed.timelines.local import list_public
from relations.blocks.writes import mute
from relations.follows.writes import follow, unfollow
from relations.friends.writes import end_friendship
from relations.own_choices.writes import follow_tag
from socialsite.streams.worker import Worker
from tests.feed.editing.audiences import (
    EVERYONE,
    FOLLOWERS,
    FRIENDS,
    ONLY_ME,
    circle_of,
    entries,
    readers_of,
    say,
    show_to,
)
from tests.notifications.told import told, waiting
from tests.relations.relations import befriend
from tests.streams.crowd import crowd, gather, home, reached
from tests.streams.records import everything, handle_all, unread

CIRCLE = Audience.CIRCLE
AT_HOME = {
    EVERYONE: {"follower"},
    FOLLOWERS: {"follower"},
    FRIENDS: {"friend", "circle"},
    CIRCLE: {"circle"},
    ONLY_ME: set(),
}


@pytest.mark.parametrize(("before", "after"), permutations(AT_HOME, 2))
def test_it_stands_at_home_where_a_new_post_would(alice, before, after, broken):
    readers = readers_of(alice)
    circles = {CIRCLE: circle_of(alice, readers["circle"])}
    assert not broken()  # the follow brings nothing any more
    post_id = say(alice, before, circles.get(before, ""))
    assert not broken()
    show_to(alice, post_id, after, circles.get(after, ""))
    assert not broken()
    assert {kind for kind, one in readers.items() if home(one) == [post_id]} == AT_HOME[after]
    assert home(alice) == [post_id]
    assert [card.post_id for card in list_public().items] == ([] if after else [post_id])


def test_a_post_that_is_for_friends_no_more_leaves_former_friends_too(alice, bob, broken):
    befriend(alice, bob)
    post_id = say(alice, FRIENDS)
    assert not broken()
    end_friendship(by=bob, user_id=alice.user_id)
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert entries(bob) == []


def test_friends_who_follow_keep_it(alice, broken):
    friend = readers_of(alice)["friend"]
    follow(by=friend, user_id=alice.user_id)
    post_id = say(alice, FRIENDS)
    assert not broken()
    show_to(alice, post_id, FOLLOWERS)
    assert not broken()
    assert home(friend) == [post_id]
    unfollow(by=friend, user_id=alice.user_id)
    assert not broken()
    assert home(friend) == []


def test_friends_who_follow_one_of_its_tags_get_it_by_the_tag(alice, broken):
    friend = readers_of(alice)["friend"]
    follow_tag(by=friend, tag="cats")
    post_id = say(alice, FRIENDS, content="#cats")
    assert not broken()
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert home(friend) == [post_id]
    show_to(alice, post_id, FRIENDS)
    assert not broken()
    assert home(friend) == [post_id]


def test_followers_who_mute_the_author_get_nothing(alice, bob, broken):
    follow(by=bob, user_id=alice.user_id)
    mute(by=bob, user_id=alice.user_id)
    post_id = say(alice, FRIENDS)
    assert not broken()
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert entries(bob) == []


def test_many_followers_get_it_by_a_job(alice, settings, broken):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 3, 2
    readers = gather(crowd(5), alice)
    assert not broken()  # the follows bring nothing any more
    post_id = say(alice, ONLY_ME)
    assert not broken()
    assert reached(readers, post_id, alice) == 0
    show_to(alice, post_id, FOLLOWERS)
    assert not broken()
    assert reached(readers, post_id, alice) == 5


@pytest.mark.parametrize(("before", "after"), permutations([EVERYONE, FRIENDS, ONLY_ME], 2))
def test_a_change_handled_twice_does_the_same(alice, before, after):
    friend = readers_of(alice)["friend"]
    follow_tag(by=friend, tag="cats")
    post_id = say(alice, before, content="@fay #cats")
    Worker().drain()
    show_to(alice, post_id, after)
    records = unread()
    handle_all(records)
    done = everything()
    handle_all(records)
    assert everything() == done


def test_people_who_may_see_it_now_are_told_of_their_mention_and_nobody_twice(alice, bob, broken):
    follow(by=bob, user_id=alice.user_id)
    stranger = readers_of(alice)["stranger"]
    post_id = say(alice, ONLY_ME, content="@bob and @stan")
    assert not broken()
    assert told(bob) == told(stranger) == []
    show_to(alice, post_id, FOLLOWERS)
    assert not broken()
    assert (len(told(bob)), told(stranger)) == (1, [])
    changes = waiting(bob).changes
    show_to(alice, post_id, EVERYONE)
    assert not broken()
    assert (len(told(bob)), len(told(stranger))) == (1, 1)
    assert waiting(bob).changes == changes
    show_to(alice, post_id, ONLY_ME)
    assert not broken()
    assert told(bob) == told(stranger) == []
    assert waiting(bob).notifications == waiting(stranger).notifications == 0

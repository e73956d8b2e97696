"""Replies in timelines: a reader gets those between two people whom they follow, and everything of a story."""

import pytest

from feed.cards.reads import get_post
from feed.posts.models import Audience
from feed.publishing.writes import delete_post, publish_post
from relations.blocks.writes import block, mute
from relations.follows.writes import follow, unfollow
from socialsite.streams.models import JobKind
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.looks import broken_invariants
from tests.streams.crowd import crowd, gather, home, jobs


@pytest.fixture
def reader(alice, bob):
    """Somebody who follows both."""
    reader = person("reader")
    for one in (alice, bob):
        follow(by=reader, user_id=one.user_id)
    return reader


def test_a_reply_reaches_those_who_follow_both(alice, bob, carol, reader, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    drain_stream()
    root = post(alice)
    first = answer(bob, alice, root)
    drain_stream()
    assert home(reader) == [first, root]
    assert home(carol) == []
    assert home(bob) == [first]
    assert home(alice) == [root]
    assert not list(broken_invariants())


def test_a_reply_reaches_the_person_answered_if_they_follow(alice, bob, drain_stream):
    follow(by=alice, user_id=bob.user_id)
    drain_stream()
    root = post(alice)
    first = answer(bob, alice, root)
    drain_stream()
    assert home(alice) == [first, root]


def test_a_story_reaches_all_followers(alice, carol, drain_stream):
    follow(by=carol, user_id=alice.user_id)
    drain_stream()
    root = post(alice)
    part = answer(alice, alice, root, "And then")
    drain_stream()
    assert home(carol) == [part, root]


def test_a_new_follower_gets_posts_and_stories_but_no_replies_to_others(
    alice, bob, carol, drain_stream
):
    root = post(alice)
    own = post(bob)
    part = answer(bob, bob, own)
    answer(bob, alice, root)
    follow(by=carol, user_id=bob.user_id)
    drain_stream()
    assert home(carol) == [part, own]
    unfollow(by=carol, user_id=bob.user_id)
    drain_stream()
    assert home(carol) == []


def test_a_reply_to_somebody_muted_does_not_come(alice, bob, reader, drain_stream):
    mute(by=reader, user_id=alice.user_id)
    drain_stream()
    root = post(alice)
    answer(bob, alice, root)
    drain_stream()
    assert home(reader) == []


def test_a_reply_leaves_when_its_author_or_the_one_answered_is_muted_or_blocked(
    alice, bob, reader, drain_stream
):
    drain_stream()
    root = post(alice)
    answer(bob, alice, root)
    drain_stream()
    assert len(home(reader)) == 2
    mute(by=reader, user_id=alice.user_id)
    assert home(reader) == []
    drain_stream()
    assert home(reader) == []


def test_a_reply_in_a_thread_for_some_is_for_those_alone(alice, bob, reader, drain_stream):
    follow(by=bob, user_id=alice.user_id)
    drain_stream()
    root = publish_post(by=alice, content="Us", nonce="n", audience=Audience.FOLLOWERS)
    first = answer(bob, alice, root)
    drain_stream()
    assert home(reader) == [first, root]
    unfollow(by=reader, user_id=alice.user_id)
    assert home(reader) == [] or home(reader) == [first]
    delete_post(by=alice, post_id=root)
    drain_stream()
    assert home(reader) == []


def test_a_reply_between_two_with_many_followers_comes_step_by_step(
    alice, bob, settings, drain_stream
):
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 3, 4
    readers = crowd(10)
    gather(readers, alice)
    gather(readers[:7], bob)
    drain_stream()
    root = post(alice)
    first = answer(bob, alice, root)
    drain_stream()
    assert not jobs(JobKind.FAN_OUT_REPLY)
    assert [first in home(one) for one in readers] == [True] * 7 + [False] * 3
    assert not list(broken_invariants())


def test_a_reply_between_two_whom_very_many_follow_comes_into_no_timeline(
    alice, bob, settings, reader, drain_stream
):
    drain_stream()
    root = post(alice)
    drain_stream()
    settings.PULL_ABOVE = 0
    first = answer(bob, alice, root)
    drain_stream()
    assert first not in home(reader)


def test_a_block_takes_the_name_of_the_person_answered_away(alice, bob, carol, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    root = post(alice)
    first = answer(bob, alice, root)
    block(by=alice, user_id=carol.user_id)
    drain_stream()
    assert get_post(first, bob.user_id, viewer=carol).answered is None

"""Whoever follows or mutes no more keeps or gets back what they still see as a friend, and nothing else."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import UserSettings
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from relations.blocks.writes import block, mute, unmute
from relations.follows.writes import follow, unfollow
from relations.friends.writes import end_friendship
from relations.models import RelationType
from relations.relation import update_relation
from socialsite.table import change, ids, keys, query
from tests.conftest import post
from tests.relations.relations import befriend
from tests.streams.crowd import home

FAMILY, WORK = "family", "work"


@pytest.fixture(autouse=True)
def friends(alice, bob, drain_stream):
    """Alice and Bob are friends; she has him in her family."""
    befriend(alice, bob)
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags={FAMILY})
    drain_stream()


@pytest.fixture
def followed(alice, bob, friends, drain_stream) -> list[str]:
    """Bob follows Alice and has all of her posts in his timeline; named are those for him as a friend."""
    follow(by=bob, user_id=alice.user_id)
    post(alice)
    seen = [say(alice, Audience.FRIENDS), say(alice, Audience.CIRCLE, FAMILY)]
    say(alice, Audience.CIRCLE, WORK)
    public, _ = post(alice), say(alice, Audience.FOLLOWERS)
    drain_stream()
    assert {*seen, public} < set(entries(bob))
    return seen[::-1]


def say(author, audience, circle="") -> str:
    return publish_post(
        by=author, content="Hello", nonce=ids.new_id(), audience=audience, circle=circle
    )


def entries(viewer) -> list[str]:
    rows = query(keys.timeline(viewer.user_id), forward=False, consistent=True)
    return [raw["post_id"]["S"] for raw in rows]


def test_an_unfollow_leaves_what_is_for_friends(alice, bob, followed, drain_stream):
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert entries(bob) == home(bob) == followed


def test_it_leaves_nothing_to_who_is_a_friend_no_more(alice, bob, followed, drain_stream):
    unfollow(by=bob, user_id=alice.user_id)
    end_friendship(by=alice, user_id=bob.user_id)
    drain_stream()
    assert entries(bob) == []


def test_it_leaves_nothing_for_a_circle_that_one_has_left(alice, bob, followed, drain_stream):
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=bob.user_id, tags={WORK})
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert not set(followed[:1]) & set(entries(bob))
    assert len(entries(bob)) == 2


@pytest.mark.usefixtures("followed")
@pytest.mark.parametrize("first", ["mute", "unfollow"])
def test_whom_one_mutes_leaves_whole(alice, bob, drain_stream, first):
    acts = {"mute": mute, "unfollow": unfollow}
    for name in sorted(acts, key=first.__ne__):
        acts[name](by=bob, user_id=alice.user_id)
        drain_stream()
    assert entries(bob) == []


@pytest.mark.usefixtures("followed")
def test_whom_one_blocks_leaves_whole(alice, bob, drain_stream):
    block(by=bob, user_id=alice.user_id)
    drain_stream()
    assert entries(bob) == []


def test_the_end_of_a_mute_brings_back_what_is_for_a_friend_who_does_not_follow(
    alice, bob, drain_stream
):
    early = say(alice, Audience.FRIENDS)
    drain_stream()
    mute(by=bob, user_id=alice.user_id)
    missed = [say(alice, Audience.FRIENDS), say(alice, Audience.CIRCLE, FAMILY)]
    say(alice, Audience.CIRCLE, WORK)
    post(alice)
    drain_stream()
    assert entries(bob) == []
    unmute(by=bob, user_id=alice.user_id)
    drain_stream()
    assert entries(bob) == home(bob) == [*missed[::-1], early]


def test_another_day_takes_nothing_of_it(alice, bob, drain_stream):
    kept = say(alice, Audience.FRIENDS)
    drain_stream()
    mute(by=bob, user_id=alice.user_id)
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    unmute(by=bob, user_id=alice.user_id)
    change(UserSettings, keys.user_settings(bob.user_id), [UserSettings.seen.set(tomorrow)])
    drain_stream()
    assert entries(bob) == [kept]


def test_no_more_than_a_follow_brings(alice, bob, drain_stream, settings, monkeypatch):
    monkeypatch.setattr("feed.timelines.writes.CHUNK", 2)
    settings.BACKFILL_POSTS = 3
    follow(by=bob, user_id=alice.user_id)
    posts = [say(alice, Audience.FRIENDS) for _ in range(5)]
    post(alice)
    drain_stream()
    assert len(entries(bob)) == 6
    unfollow(by=bob, user_id=alice.user_id)
    drain_stream()
    assert entries(bob) == posts[:1:-1]

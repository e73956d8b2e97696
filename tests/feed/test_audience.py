"""A post is seen by those whom it is for, wherever posts are shown, and by nobody else."""

import pytest

from accounts.models import UserInfo
from accounts.people.viewer import VISITOR
from feed.cards.reads import get_post
from feed.home.reads import get_timeline
from feed.posts.models import Audience
from feed.profiles.reads import list_posts
from feed.publishing.writes import publish_post
from feed.timelines.local import list_public
from relations.follows.writes import follow, unfollow
from relations.friends.writes import accept_friend, end_friendship, request_friend
from relations.models import RelationType
from relations.relation import update_relation
from socialsite.table import NotFound, change, ids, keys
from tests.conftest import person
from tests.streams.crowd import returning

FAMILY = "family"


@pytest.fixture
def cast(alice, bob, carol):
    """Alice's readers: Bob follows her, Carol is a friend, Dora a friend in her family, Erik a stranger."""
    dora, erik = person("dora"), person("erik")
    follow(by=bob, user_id=alice.user_id)
    for friend in (carol, dora):
        befriend(alice, friend)
    update_relation(
        by=alice, relation_type=RelationType.FRIEND, user_id=dora.user_id, tags={FAMILY}
    )
    return {
        "visitor": VISITOR,
        "stranger": erik,
        "follower": bob,
        "friend": carol,
        "in the circle": dora,
        "author": alice,
    }


def befriend(one, other):
    request_friend(by=one, user_id=other.user_id)
    accept_friend(by=other, user_id=one.user_id)


def say(author, audience, circle=""):
    return publish_post(
        by=author, content="Hello", nonce=ids.new_id(), audience=audience, circle=circle
    )


SEEN_BY = {
    Audience.EVERYONE: {"visitor", "stranger", "follower", "friend", "in the circle", "author"},
    Audience.FOLLOWERS: {"follower", "author"},
    Audience.FRIENDS: {"friend", "in the circle", "author"},
    Audience.CIRCLE: {"in the circle", "author"},
    Audience.ONLY_ME: {"author"},
}


def circle_of(audience):
    return FAMILY if audience == Audience.CIRCLE else ""


@pytest.mark.parametrize("audience", Audience)
def test_the_page_of_a_post_and_the_profile(cast, audience):
    author = cast["author"]
    post_id = say(author, audience, circle_of(audience))
    for name, viewer in cast.items():
        try:
            get_post(post_id, author.user_id, viewer=viewer)
            sees = True
        except NotFound:
            sees = False
        card = returning(author).card if name == "author" else author.card
        page = list_posts(card, viewer=viewer)
        assert sees == bool(page.items) == (name in SEEN_BY[audience]), name


@pytest.mark.parametrize("audience", Audience)
def test_home(cast, audience, drain_stream):
    author = cast["author"]
    say(author, audience, circle_of(audience))
    drain_stream()
    reached = {
        name
        for name, viewer in cast.items()
        if viewer.is_authenticated and get_timeline(returning(viewer)).items
    }
    brought = {"follower", "author"} if audience == Audience.EVERYONE else SEEN_BY[audience]
    assert reached == brought


@pytest.mark.parametrize("audience", Audience)
def test_the_local_timeline_has_what_is_for_everyone(cast, audience, drain_stream):
    say(cast["author"], audience, circle_of(audience))
    drain_stream()
    for viewer in cast.values():
        assert bool(list_public(viewer=viewer).items) == (audience == Audience.EVERYONE)


def test_who_is_a_friend_no_more_sees_it_no_more_at_once(cast, drain_stream):
    alice, carol = cast["author"], cast["friend"]
    say(alice, Audience.FRIENDS)
    drain_stream()
    assert get_timeline(carol).items
    end_friendship(by=alice, user_id=carol.user_id)
    assert not get_timeline(carol).items


def test_who_is_taken_out_of_the_circle_sees_it_no_more_at_once(cast, drain_stream):
    alice, dora = cast["author"], cast["in the circle"]
    say(alice, Audience.CIRCLE, FAMILY)
    drain_stream()
    assert get_timeline(dora).items
    update_relation(by=alice, relation_type=RelationType.FRIEND, user_id=dora.user_id, tags=())
    assert not get_timeline(dora).items


def test_who_follows_no_more_sees_it_no_more_at_once(cast, drain_stream):
    alice, bob = cast["author"], cast["follower"]
    post_id = say(alice, Audience.FOLLOWERS)
    drain_stream()
    unfollow(by=bob, user_id=alice.user_id)
    with pytest.raises(NotFound):
        get_post(post_id, alice.user_id, viewer=bob)


def test_a_locked_archive_is_for_followers_from_its_date_backwards(cast):
    alice, bob, erik = cast["author"], cast["follower"], cast["stranger"]
    old, lock = say(alice, Audience.EVERYONE), ids.new_id()
    new = say(alice, Audience.EVERYONE)
    locked = [UserInfo.archived_before.set(lock)]
    change(UserInfo, keys.user_info(alice.user_id), locked)
    with pytest.raises(NotFound):
        get_post(old, alice.user_id, viewer=erik)
    assert get_post(old, alice.user_id, viewer=bob)
    assert get_post(new, alice.user_id, viewer=erik)


def test_a_new_follower_is_not_given_what_is_for_friends(cast, drain_stream):
    alice, erik = cast["author"], cast["stranger"]
    say(alice, Audience.FRIENDS)
    open_one = say(alice, Audience.EVERYONE)
    follow(by=erik, user_id=alice.user_id)
    drain_stream()
    assert [card.post_id for card in get_timeline(erik).items] == [open_one]

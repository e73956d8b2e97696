"""Reposts in timelines and on profiles: each post once, with the people who reposted it, while it is for everyone."""

import pytest

from accounts.people.restrictions import Restriction
from feed.cards.post_card import PostCard
from feed.home.reads import get_timeline, list_newer
from feed.posts.models import Audience, Post, Withheld
from feed.posts.reads import Pointer
from feed.profiles.reads import list_posts
from feed.publishing.writes import delete_post
from feed.sharing.writes import repost, take_repost_back
from feed.timelines.local import list_public
from relations.blocks.writes import block, mute
from relations.follows.writes import follow
from relations.reads import get_person
from socialsite.streams.models import JobKind
from socialsite.table import Place, change, keys, query, write_cursor
from tests.conftest import person, post
from tests.feed.answers import answer
from tests.looks import broken_invariants
from tests.moderation.restricting import restrict, withhold
from tests.streams.crowd import crowd, gather, home, jobs, returning
from tests.web.html import Html


@pytest.fixture
def reader(bob):
    """A person who follows bob alone."""
    reader = person("reader")
    follow(by=reader, user_id=bob.user_id)
    return reader


@pytest.fixture
def post_id(alice) -> str:
    return post(alice)


@pytest.fixture
def reposted(alice, bob, reader, post_id, drain_stream) -> str:
    """A post of Alice in the reader's timeline, by Bob's repost."""
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert home(reader) == [post_id]
    return post_id


def cards(viewer) -> list[PostCard]:
    return list(get_timeline(returning(viewer)).items)


def reposters(card: PostCard) -> list[str]:
    return [one.handle for one in card.reposters]


def profile(author, viewer) -> list[PostCard]:
    person_card = get_person(author.user_id, viewer=viewer)
    return list(list_posts(person_card, viewer=viewer).items)


def test_a_repost_brings_the_post_to_followers(reader, reposted):
    (card,) = cards(reader)
    assert (card.post_id, card.author.handle, reposters(card)) == (reposted, "alice", ["bob"])
    assert not broken_invariants()


def test_the_page_says_who_reposted(reader, reposted, log_in):
    page = Html(log_in(reader).get("/"))
    assert page.one(class_="post-reposted").text.split() == ["Bob", "Brandt", "reposted"]


def test_several_reposts_are_one_card_where_the_newest_is(
    alice, bob, carol, reader, post_id, drain_stream
):
    for one in (alice, carol):
        follow(by=reader, user_id=one.user_id)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    newer = post(alice)
    repost(by=carol, post=Pointer(post_id, alice.user_id))
    drain_stream()
    first, second = cards(reader)
    assert [first.post_id, second.post_id] == [post_id, newer]
    assert reposters(first) == ["carol", "bob"]


def test_a_repost_is_on_the_profile_and_not_in_the_local_timeline(bob, carol, reposted):
    (card,) = profile(bob, carol)
    assert (card.post_id, reposters(card)) == (reposted, ["bob"])
    assert [one.post_id for one in list_public(viewer=carol).items] == [reposted]
    assert [reposters(one) for one in list_public(viewer=carol).items] == [[]]


def test_a_new_follower_gets_reposts_with_the_newest_posts(bob, carol, reposted, drain_stream):
    follow(by=carol, user_id=bob.user_id)
    drain_stream()
    assert home(carol) == [reposted]
    assert not broken_invariants()


def test_a_repost_taken_back_is_gone_before_the_worker_comes(bob, reader, reposted):
    take_repost_back(by=bob, post_id=reposted)
    assert cards(reader) == []
    assert profile(bob, reader) == []


def test_a_deleted_post_is_gone_from_reposts(alice, bob, reader, reposted):
    delete_post(by=alice, post_id=reposted)
    assert cards(reader) == []
    assert profile(bob, reader) == []


@pytest.mark.parametrize("audience", [Audience.FOLLOWERS, Audience.FRIENDS, Audience.ONLY_ME])
def test_a_post_that_is_for_some_now_is_gone_from_reposts(alice, bob, reader, reposted, audience):
    follow(by=reader, user_id=alice.user_id)
    change(Post, keys.post(alice.user_id, reposted), [Post.audience.set(audience)])
    assert [reposters(card) for card in cards(reader)] == []
    assert profile(bob, reader) == []


@pytest.mark.parametrize("restriction", [Restriction.SUSPENDED, Restriction.LIMITED])
def test_posts_of_restricted_people_are_gone_from_reposts(
    alice, bob, reader, reposted, restriction
):
    restrict(alice, restriction)
    assert cards(reader) == []
    assert profile(bob, reader) == []


def test_reposts_by_suspended_people_are_gone(bob, reader, reposted):
    restrict(bob, Restriction.SUSPENDED)
    assert cards(reader) == []


@pytest.mark.parametrize("why", Withheld)
def test_a_withheld_post_is_gone_from_reposts(alice, bob, reader, reposted, why):
    withhold(alice, reposted, why)
    assert cards(reader) == []
    assert profile(bob, reader) == []


@pytest.mark.parametrize("blocker", ["author", "reader"])
def test_a_block_hides_the_author_in_reposts_of_others(alice, bob, reader, reposted, blocker):
    if blocker == "author":
        block(by=alice, user_id=reader.user_id)
    else:
        block(by=reader, user_id=alice.user_id)
    assert cards(reader) == []
    assert profile(bob, reader) == []


def test_a_mute_hides_the_author_in_reposts_at_home_alone(
    alice, bob, reader, reposted, drain_stream
):
    mute(by=reader, user_id=alice.user_id)
    assert cards(reader) == []
    drain_stream()
    assert cards(reader) == []
    assert [card.post_id for card in profile(bob, reader)] == [reposted]


def test_a_reply_is_reposted_as_far_as_its_thread_is_open(
    alice, bob, carol, reader, post_id, drain_stream
):
    first = answer(carol, alice, post_id)
    thread = (post_id, alice.user_id, alice.user_id)
    repost(by=bob, post=Pointer(first, carol.user_id, *thread))
    drain_stream()
    (card,) = cards(reader)
    assert (card.post_id, card.is_reply, reposters(card)) == (first, True, ["bob"])
    assert card.answered is not None
    change(Post, keys.post(alice.user_id, post_id), [Post.audience.set(Audience.FRIENDS)])
    assert cards(reader) == []


def test_home_reads_a_page_of_reposts_in_three_calls(
    alice, bob, carol, reader, drain_stream, log_in, measure
):
    for number in range(8):
        author = (alice, carol)[number % 2]
        repost(by=bob, post=Pointer(post(author, f"Post {number}"), author.user_id))
    drain_stream()
    browser = log_in(reader)
    browser.get("/")
    with measure() as meter:
        browser.get("/")
    assert len(meter.calls) == 3


def test_the_pill_tells_of_reposts(alice, bob, reader, post_id, drain_stream):
    post(bob, "Before")
    drain_stream()
    top = get_timeline(returning(reader))
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    since = write_cursor(keys.timeline(reader.user_id), Place("previous", str(top.top)))
    newer = list_newer(returning(reader), since=since)
    assert [card.post_id for card in newer.items] == [post_id]


def test_a_repost_by_someone_with_many_followers_is_brought_by_a_job(
    alice, bob, post_id, drain_stream, settings
):
    gather(readers := crowd(3), bob)
    drain_stream()
    settings.FAN_OUT_INLINE = 2
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert all(home(one) == [post_id] for one in readers)
    assert not jobs(JobKind.FAN_OUT)
    assert not broken_invariants()


def test_reposts_of_pulled_people_are_merged_in(alice, bob, post_id, drain_stream, settings):
    gather(readers := crowd(3), bob)
    drain_stream()
    settings.PULL_ABOVE = 2
    post(bob, "Makes them pulled")
    drain_stream()
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    drain_stream()
    assert all(home(one)[0] == post_id for one in readers)
    assert not [raw for raw in query(keys.timeline(readers[0].user_id)) if "repost_of" in raw]
    assert not broken_invariants()


def test_the_atom_feed_has_no_reposts(bob, reposted, client):
    own = post(bob, "My own words")
    feed = client.get("/@bob/feed.atom").content.decode()
    assert own in feed
    assert reposted not in feed

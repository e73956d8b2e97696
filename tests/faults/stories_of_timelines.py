"""Who follows whom, and what reaches their timelines."""

from datetime import UTC, datetime, timedelta

from accounts.sign_in.writes import sign_in
from feed.posts.reads import Pointer
from feed.publishing.writes import publish_post
from feed.timelines.big_authors import note_recent
from relations.follows.writes import follow, unfollow
from tests.conftest import person, post
from tests.faults.looks import (
    assert_all_is_well,
    counts_of,
    entries_of,
    posts_of,
    pulled_by,
    reading_of,
    timeline_of,
)
from tests.faults.stories import SMALL_BATCHES, Story, scenario
from tests.streams.crowd import last_here, open_home


@scenario(constants=SMALL_BATCHES, BACKFILL_POSTS=3)
def a_follow_backfills_the_newest_posts() -> Story:
    alice, bob = person("alice"), person("bob")
    posts = [post(alice, f"number {number}") for number in range(5)]

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (1, 0, 5)
        assert counts_of(bob) == (0, 1, 0)
        assert timeline_of(bob) == posts[:1:-1]

    return Story(lambda: follow(by=bob, user_id=alice.user_id), check)


@scenario(constants=SMALL_BATCHES | {"feed.timelines.writes.CHUNK": 3})
def an_unfollow_empties_the_timeline() -> Story:
    alice, bob = person("alice"), person("bob")
    for number in range(4):
        post(alice, f"number {number}")
    own = post(bob)
    follow(by=bob, user_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (0, 0, 4)
        assert counts_of(bob) == (0, 0, 1)
        assert entries_of(bob) == [own]

    return Story(lambda: unfollow(by=bob, user_id=alice.user_id), check)


@scenario(constants=SMALL_BATCHES, FAN_OUT_STEP=2)
def a_post_is_fanned_out_at_once() -> Story:
    alice = person("alice")
    fans = [person(f"fan_{number}") for number in range(3)]
    for fan in fans:
        follow(by=fan, user_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert len(posts_of(alice)) == 1
        assert [timeline_of(fan) for fan in fans] == [posts_of(alice)] * 3

    return Story(lambda: publish_post(by=alice, content="Hello", nonce="form"), check)


@scenario(FAN_OUT_INLINE=1, FAN_OUT_STEP=2)
def a_post_is_fanned_out_by_a_job() -> Story:
    alice = person("alice")
    fans = [person(f"fan_{number}") for number in range(5)]
    for fan in fans:
        follow(by=fan, user_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert len(posts_of(alice)) == 1
        assert [timeline_of(fan) for fan in fans] == [posts_of(alice)] * 5

    return Story(lambda: publish_post(by=alice, content="Hello", nonce="form"), check)


@scenario(PULL_ABOVE=1, FAN_OUT_STEP=10)
def an_author_crosses_over_to_being_pulled() -> Story:
    alice = person("alice")
    fans = [person(f"fan_{number}") for number in range(3)]
    for fan in fans:
        follow(by=fan, user_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert reading_of(alice) == "pulled"
        assert len(posts_of(alice)) == 1
        for fan in fans:
            assert pulled_by(fan) == (alice.user_id,)
            assert timeline_of(fan) == posts_of(alice)

    return Story(lambda: publish_post(by=alice, content="Hello", nonce="form"), check)


@scenario(PULL_ABOVE=1)
def a_pulled_author_is_followed_and_unfollowed() -> Story:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    follow(by=person("dave"), user_id=alice.user_id)
    follow(by=carol, user_id=alice.user_id)
    post(alice)

    def act() -> None:
        follow(by=bob, user_id=alice.user_id)
        unfollow(by=carol, user_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (2, 0, 1)
        assert (counts_of(bob)[1], counts_of(carol)[1]) == (1, 0)
        assert pulled_by(bob) == (alice.user_id,)
        assert timeline_of(bob) == posts_of(alice)
        assert pulled_by(carol) == ()
        assert timeline_of(carol) == []

    return Story(act, check)


@scenario(constants=SMALL_BATCHES | {"feed.timelines.stream.AUTHORS_A_STEP": 1}, PULL_ABOVE=1)
def news_of_pulled_authors_is_merged_into_a_timeline() -> Story:
    bob, authors = person("bob"), [person("alice"), person("carol")]
    for author in authors:
        for fan in (bob, person(f"fan_of_{author.handle}")):
            follow(by=fan, user_id=author.user_id)
        post(author)

    def act() -> None:
        for author in authors:
            post_id = publish_post(by=author, content="News", nonce="form")
            note_recent(Pointer(post_id, author.user_id), ends=None)
        open_home(bob)

    def check() -> None:
        assert_all_is_well()
        posts = sorted(post_id for author in authors for post_id in posts_of(author))
        assert len(posts) == 2 * len(authors)
        assert entries_of(bob) == posts
        assert timeline_of(bob) == posts[::-1]

    return Story(act, check)


@scenario(constants={"feed.timelines.stream.PEOPLE_A_STEP": 1})
def a_timeline_is_rebuilt_for_somebody_who_returns() -> Story:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    for author in (alice, carol):
        follow(by=bob, user_id=author.user_id)
    long_ago = (datetime.now(UTC) - timedelta(days=60)).date().isoformat()
    last_here(bob, long_ago)
    posts = [post(alice), post(carol), post(alice)]

    def check() -> None:
        assert_all_is_well()
        assert timeline_of(bob) == posts[::-1]

    return Story(lambda: sign_in(user_id=bob.user_id, browser="tests"), check)

"""What people do, for the crash tests: each story is played once for every point at which it may break off."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import UserSettings
from accounts.services.follow import follow, unfollow
from accounts.services.sign_in import sign_in
from feed.models import TimelineEntry
from feed.services.delete_post import delete_post
from feed.services.like_post import like_post, unlike_post
from feed.services.publish_post import publish_post
from socialsite.table import ids, keys
from socialsite.table.writing import change, write_batch
from tests.conftest import person, post
from tests.faults.crash_points import Scenario, Story
from tests.faults.looks import (
    archived,
    assert_all_is_well,
    counts_of,
    entries_of,
    likes_of,
    posts_of,
    pulled_by,
    reading_of,
    timeline_of,
)

SCENARIOS: dict[str, Scenario] = {}

SMALL_BATCHES = {"socialsite.table.writing.BATCH_WRITE_LIMIT": 2}


def scenario(
    constants: dict[str, Any] | None = None, **settings: Any
) -> Callable[[Callable[[], Story]], Callable[[], Story]]:
    """Registers a story, with the settings and sizes that make it take several calls."""

    def register(prepare: Callable[[], Story]) -> Callable[[], Story]:
        name = prepare.__name__
        SCENARIOS[name] = Scenario(name, prepare, settings, constants or {})
        return prepare

    return register


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


@scenario(constants=SMALL_BATCHES | {"feed.stream_handlers.follow_timeline.CHUNK": 3})
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


@scenario()
def a_post_of_somebody_without_followers_is_published() -> Story:
    alice = person("alice")

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (0, 0, 1)
        assert timeline_of(alice) == posts_of(alice)
        assert len(posts_of(alice)) == 1

    return Story(lambda: publish_post(by=alice, content="Hello", nonce="form"), check)


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
        assert pulled_by(bob) == (alice.user_id,)
        assert timeline_of(bob) == posts_of(alice)
        assert pulled_by(carol) == ()
        assert timeline_of(carol) == []

    return Story(act, check)


@scenario()
def a_post_is_deleted() -> Story:
    alice, bob = person("alice"), person("bob")
    follow(by=bob, user_id=alice.user_id)
    gone, kept = post(alice, "gone"), post(alice, "kept")

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (1, 0, 1)
        assert timeline_of(alice) == timeline_of(bob) == [kept]

    return Story(lambda: delete_post(by=alice, post_id=gone), check)


@scenario(constants=SMALL_BATCHES | {"feed.stream_handlers.clear_post.CHUNK": 2})
def a_liked_post_is_deleted() -> Story:
    alice = person("alice")
    post_id = post(alice)
    for number in range(3):
        like_post(by=person(f"fan_{number}"), post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert posts_of(alice) == []

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)


@scenario()
def a_post_is_liked_by_two() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = post(alice)

    def act() -> None:
        for fan in (alice, bob):
            like_post(by=fan, post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert likes_of(post_id) == 2

    return Story(act, check)


@scenario()
def a_like_is_taken_back() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = post(alice)
    for fan in (alice, bob):
        like_post(by=fan, post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert likes_of(post_id) == 1

    return Story(lambda: unlike_post(by=bob, post_id=post_id), check)


@scenario()
def a_like_crosses_the_deletion_of_its_post() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = post(alice)
    delete_post(by=alice, post_id=post_id)

    def check() -> None:
        assert_all_is_well()

    return Story(lambda: like_post(by=bob, post_id=post_id, author_id=alice.user_id), check)


@scenario(constants={"socialsite.streams.ledger.MOST_LINES": 2})
def a_batch_of_many_counters_is_cut_into_several_commits() -> Story:
    alice, bob = person("alice"), person("bob")
    posts = [post(alice, f"number {number}") for number in range(5)]

    def act() -> None:
        for post_id in posts:
            like_post(by=bob, post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert [likes_of(post_id) for post_id in posts] == [1] * 5

    return Story(act, check)


@scenario(constants={"socialsite.streams.lease.BEAT_EVERY": 0.0})
def the_owner_beats_at_every_record() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = post(alice)

    def check() -> None:
        assert_all_is_well()
        assert likes_of(post_id) == 1

    return Story(lambda: like_post(by=bob, post_id=post_id, author_id=alice.user_id), check)


@scenario(constants={"feed.stream_handlers.rebuild_timeline.PEOPLE_A_STEP": 1})
def a_timeline_is_rebuilt_for_somebody_who_returns() -> Story:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    for author in (alice, carol):
        follow(by=bob, user_id=author.user_id)
    long_ago = (datetime.now(UTC) - timedelta(days=60)).date().isoformat()
    change(UserSettings, keys.user_settings(bob.user_id), [UserSettings.seen.set(long_ago)])
    posts = [post(alice), post(carol), post(alice)]

    def check() -> None:
        assert_all_is_well()
        assert timeline_of(bob) == posts[::-1]

    return Story(lambda: sign_in(user_id=bob.user_id, browser="tests"), check)


@scenario()
def expired_items_are_archived() -> Story:
    alice = person("alice")
    past = datetime.now(UTC) - timedelta(days=1)
    expired = [
        TimelineEntry.new(user_id=alice.user_id, post_id=ids.new_id(), author_id="A", ttl=past)
        for _ in range(2)
    ]
    write_batch(puts=expired)

    def act() -> None:
        for entry in expired:  # two calls, so that a crash may part them
            write_batch(deletes=[entry.key])

    def check() -> None:
        assert_all_is_well()
        assert archived() == [entry.sk for entry in expired]

    return Story(act, check)

"""Posts and likes come and go."""

from feed.cards.reads import get_post
from feed.likes.reads import SHARDS, list_likers
from feed.likes.writes import like_post, unlike_post
from feed.posts.reads import Pointer
from feed.publishing.writes import Part, delete_post, publish_post
from feed.threads.writes import reply
from relations.follows.writes import follow
from socialsite.streams.status import list_dead_letters
from socialsite.table import keys, query, write_batch
from tests.conftest import person, post
from tests.faults.looks import (
    archived,
    assert_all_is_well,
    counts_of,
    likes_of,
    posts_of,
    timeline_of,
    told_of,
)
from tests.faults.stories import SMALL_BATCHES, Story, scenario
from tests.looks import broken_invariants
from tests.streams.records import entry


@scenario()
def a_post_of_somebody_without_followers_is_published() -> Story:
    alice = person("alice")

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == (0, 0, 1)
        assert timeline_of(alice) == posts_of(alice)
        assert len(posts_of(alice)) == 1

    return Story(lambda: publish_post(by=alice, content="Hello", nonce="form"), check)


@scenario()
def a_story_is_published() -> Story:
    alice, bob = person("alice"), person("bob")
    follow(by=bob, user_id=alice.user_id)
    parts = [Part("Two"), Part("Three")]

    def check() -> None:
        assert_all_is_well()
        root = posts_of(alice)[-1]
        assert counts_of(alice) == (1, 0, 3)
        assert get_post(root, alice.user_id).reply_count == 1
        assert timeline_of(bob) == timeline_of(alice)
        assert len(posts_of(alice)) == 3

    return Story(lambda: publish_post(by=alice, content="One", nonce="form", parts=parts), check)


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


@scenario()
def a_reply_is_written() -> Story:
    alice, bob, reader = person("alice"), person("bob"), person("reader")
    for one in (alice, bob):
        follow(by=reader, user_id=one.user_id)
    root = post(alice)
    to = Pointer(root, alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert get_post(root, alice.user_id).reply_count == 1
        assert told_of(alice) == [("r", 1), ("f", 1)]
        assert timeline_of(bob) == posts_of(bob)
        assert timeline_of(reader) == [*posts_of(bob), root]

    return Story(lambda: reply(by=bob, to=to, content="I see", nonce="form"), check)


@scenario()
def an_answered_reply_and_its_answer_are_deleted() -> Story:
    alice, bob = person("alice"), person("bob")
    root = post(alice)
    first = reply(by=bob, to=Pointer(root, alice.user_id), content="I see", nonce="first")
    second = reply(by=alice, to=Pointer(first, bob.user_id), content="Do you?", nonce="second")

    def act() -> None:
        delete_post(by=bob, post_id=first)
        delete_post(by=alice, post_id=second)
        delete_post(by=alice, post_id=root)

    def check() -> None:
        assert_all_is_well()
        assert posts_of(alice) == posts_of(bob) == []
        assert list(query(keys.thread(root), consistent=True)) == []

    return Story(act, check)


@scenario(constants=SMALL_BATCHES | {"feed.publishing.stream.CHUNK": 2})
def a_liked_post_is_deleted() -> Story:
    alice = person("alice")
    post_id = post(alice)
    for number in range(3):
        like_post(by=person(f"fan_{number}"), post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert posts_of(alice) == []

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)


@scenario(SPREAD_LIKES_ABOVE=1)
def a_post_becomes_hot() -> Story:
    alice = person("alice")
    fans = [person(f"fan_{number}") for number in range(3)]
    post_id = post(alice)

    def act() -> None:
        for fan in fans:
            like_post(by=fan, post_id=post_id, author_id=alice.user_id)
        unlike_post(by=fans[0], post_id=post_id, shards=SHARDS)

    def check() -> None:
        assert_all_is_well()
        assert get_post(post_id, alice.user_id).like_shards == SHARDS
        assert likes_of(post_id) == len(list_likers(post_id, shards=SHARDS).items) == 2

    return Story(act, check)


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
        assert told_of(alice) == [("l", 1)]

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
        assert told_of(alice) == []

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


@scenario()
def expired_items_are_archived() -> Story:
    alice = person("alice")
    expired = [entry(alice) for _ in range(2)]
    write_batch(puts=expired)

    def act() -> None:
        for one in expired:  # two calls, so that a crash may part them
            write_batch(deletes=[one.key])

    def check() -> None:
        assert_all_is_well()
        assert archived() == [one.sk for one in expired]

    return Story(act, check)


@scenario(constants={"feed.timelines.fan_out_stream.DAYS": None})
def a_record_that_no_handler_can_apply_is_parked() -> Story:
    alice, bob = person("alice"), person("bob")
    follow(by=bob, user_id=alice.user_id)

    def check() -> None:
        missing = "every public post stands under its words, and nothing else does"
        assert broken_invariants().keys() <= {missing}, "what is parked waits"
        assert len(list_dead_letters()) == 1
        assert timeline_of(bob) == posts_of(alice)

    return Story(lambda: publish_post(by=alice, content="Hello", nonce="form"), check)

"""Reposts and quotes come and go."""

from feed.cards.reads import get_post
from feed.likes.writes import like_post, unlike_post
from feed.posts.reads import Pointer
from feed.publishing.writes import delete_post
from feed.sharing.writes import quote, repost, take_repost_back, withdraw_quote
from relations.follows.writes import follow
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, posts_of, timeline_of, told_of
from tests.faults.stories import SMALL_BATCHES, Story, scenario


@scenario()
def a_post_is_reposted() -> Story:
    alice, bob, reader = person("alice"), person("bob"), person("reader")
    follow(by=reader, user_id=bob.user_id)
    post_id = post(alice)

    def check() -> None:
        assert_all_is_well()
        card = get_post(post_id, alice.user_id, viewer=bob)
        assert (card.repost_count, card.reposted, card.liked) == (1, True, False)
        assert told_of(alice) == [("s", 1)]
        assert timeline_of(reader) == [post_id]

    return Story(lambda: repost(by=bob, post=Pointer(post_id, alice.user_id)), check)


@scenario()
def a_repost_is_taken_back_and_the_like_stays() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = post(alice)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        card = get_post(post_id, alice.user_id, viewer=bob)
        assert (card.repost_count, card.like_count, card.liked) == (0, 1, True)
        assert posts_of(bob) == []

    return Story(lambda: take_repost_back(by=bob, post_id=post_id), check)


@scenario()
def a_like_is_taken_back_and_the_repost_stays() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = post(alice)
    repost(by=bob, post=Pointer(post_id, alice.user_id))
    like_post(by=bob, post_id=post_id, author_id=alice.user_id)

    def check() -> None:
        assert_all_is_well()
        card = get_post(post_id, alice.user_id, viewer=bob)
        assert (card.repost_count, card.like_count, card.liked) == (1, 0, False)

    return Story(lambda: unlike_post(by=bob, post_id=post_id), check)


@scenario(constants=SMALL_BATCHES | {"feed.publishing.stream.CHUNK": 2})
def a_reposted_post_is_deleted() -> Story:
    alice = person("alice")
    post_id = post(alice)
    fans = [person(f"fan_{number}") for number in range(3)]
    for fan in fans:
        repost(by=fan, post=Pointer(post_id, alice.user_id))

    def check() -> None:
        assert_all_is_well()
        assert [posts_of(fan) for fan in fans] == [[], [], []]

    return Story(lambda: delete_post(by=alice, post_id=post_id), check)


@scenario()
def a_post_is_quoted() -> Story:
    alice, bob, reader = person("alice"), person("bob"), person("reader")
    follow(by=reader, user_id=bob.user_id)
    post_id = post(alice)
    where = Pointer(post_id, alice.user_id)

    def check() -> None:
        assert_all_is_well()
        assert get_post(post_id, alice.user_id).quote_count == 1
        assert told_of(alice) == [("t", 1)]
        assert timeline_of(reader) == posts_of(bob)

    return Story(lambda: quote(by=bob, post=where, content="Look", nonce="form"), check)


@scenario()
def a_quote_is_taken_back_and_its_post_deleted() -> Story:
    alice, bob = person("alice"), person("bob")
    post_id = post(alice)
    where = Pointer(post_id, alice.user_id)
    quoting = quote(by=bob, post=where, content="Look", nonce="form")
    answered: list[str] = []

    def act() -> None:
        if (
            not answered
        ):  # alice does not press again after her answer; the quoting post may be gone by then
            withdraw_quote(by=alice, quoting=Pointer(quoting, bob.user_id))
            answered.append("withdrawn")
        delete_post(by=bob, post_id=quoting)

    def check() -> None:
        assert_all_is_well()
        assert get_post(post_id, alice.user_id).quote_count == 0

    return Story(act, check)

"""What people become to each other, and what of it reaches their timelines."""

from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from relations.blocks.writes import block, mute, unmute
from relations.follows.writes import follow
from relations.friends.writes import accept_friend, request_friend
from socialsite.table import ids
from tests.conftest import person, post
from tests.faults.looks import assert_all_is_well, counts_of, entries_of
from tests.faults.stories import SMALL_BATCHES, Story, scenario
from tests.relations.scenes import relationship


@scenario()
def a_request_is_accepted() -> Story:
    alice, bob = person("alice"), person("bob")
    request_friend(by=alice, user_id=bob.user_id)

    def check() -> None:
        assert_all_is_well()
        assert relationship(alice, bob).is_friend

    return Story(lambda: request_friend(by=bob, user_id=alice.user_id), check)


@scenario(constants=SMALL_BATCHES)
def a_block_ends_what_was_between_two() -> Story:
    alice, bob = person("alice"), person("bob")
    for one, other in ((alice, bob), (bob, alice)):
        follow(by=one, user_id=other.user_id)
        request_friend(by=one, user_id=other.user_id)
        post(one)

    def check() -> None:
        assert_all_is_well()
        assert counts_of(alice) == counts_of(bob) == (0, 0, 1)
        assert len(entries_of(alice)) == len(entries_of(bob)) == 1
        assert relationship(bob, alice).is_blocked

    return Story(lambda: block(by=alice, user_id=bob.user_id), check)


@scenario(constants=SMALL_BATCHES)
def a_mute_empties_the_timeline() -> Story:
    alice, bob = person("alice"), person("bob")
    follow(by=alice, user_id=bob.user_id)
    for number in range(3):
        post(bob, f"number {number}")

    def check() -> None:
        assert_all_is_well()
        assert entries_of(alice) == []
        assert relationship(alice, bob).mutes

    return Story(lambda: mute(by=alice, user_id=bob.user_id), check)


@scenario(constants=SMALL_BATCHES)
def the_end_of_a_mute_fills_the_timeline() -> Story:
    alice, bob = person("alice"), person("bob")
    follow(by=alice, user_id=bob.user_id)
    posts = [post(bob, f"number {number}") for number in range(3)]
    mute(by=alice, user_id=bob.user_id)

    def check() -> None:
        assert_all_is_well()
        assert entries_of(alice) == posts

    return Story(lambda: unmute(by=alice, user_id=bob.user_id), check)


@scenario(constants=SMALL_BATCHES)
def a_follow_of_a_muted_person_brings_nothing() -> Story:
    alice, bob = person("alice"), person("bob")
    mute(by=alice, user_id=bob.user_id)
    post(bob)

    def follow_and_wait() -> None:
        follow(by=alice, user_id=bob.user_id)
        post(bob)

    def check() -> None:
        assert_all_is_well()
        assert entries_of(alice) == []

    return Story(follow_and_wait, check)


@scenario(constants=SMALL_BATCHES)
def a_post_for_friends_reaches_friends() -> Story:
    alice = person("alice")
    friends = [person(f"friend_{number}") for number in range(3)]
    for friend in friends:
        request_friend(by=friend, user_id=alice.user_id)
        accept_friend(by=alice, user_id=friend.user_id)
    mute(by=friends[0], user_id=alice.user_id)
    nonce = ids.new_id()

    def say() -> object:
        return publish_post(by=alice, content="Hello", nonce=nonce, audience=Audience.FRIENDS)

    def check() -> None:
        assert_all_is_well()
        assert [len(entries_of(friend)) for friend in friends] == [0, 1, 1]
        assert relationship(friends[0], alice).is_friend

    return Story(say, check)

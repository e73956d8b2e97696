"""What a worker has in hand when it freezes, and how people change their minds meanwhile."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

from accounts.people.viewer import Viewer
from accounts.sign_in.writes import sign_in
from feed.posts.models import Audience
from feed.publishing.writes import publish_post
from relations.blocks.writes import block, mute, unblock, unmute
from relations.follows.writes import follow, unfollow
from socialsite.table import ids
from tests.conftest import person, post
from tests.faults.looks import pulled_by, timeline_of
from tests.faults.stories import SMALL_BATCHES, Scenario
from tests.relations.scenes import befriend
from tests.streams.crowd import last_here, open_home

Deed = Callable[[], object]


@dataclass(frozen=True, slots=True)
class ChangeOfMind:
    """`act` is what the worker has in hand, `change_of_mind` happens while it is frozen."""

    act: Deed
    change_of_mind: Deed
    check: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Freeze:
    name: str
    scenario: Scenario


FREEZES: dict[str, Freeze] = {}


def freeze(
    **settings: object,
) -> Callable[[Callable[[], ChangeOfMind]], Callable[[], ChangeOfMind]]:
    def register(prepare: Callable[[], ChangeOfMind]) -> Callable[[], ChangeOfMind]:
        name = prepare.__name__
        FREEZES[name] = Freeze(name, Scenario(name, prepare, settings, SMALL_BATCHES))  # type: ignore[arg-type]
        return prepare

    return register


def in_turn(*deeds: Deed) -> Deed:
    return lambda: [deed() for deed in deeds]


def fans_of(author: Viewer, number: int) -> list[Viewer]:
    fans = [person(f"fan_{one}") for one in range(number)]
    for fan in fans:
        follow(by=fan, user_id=author.user_id)
    return fans


def say(author: Viewer, audience: str = Audience.EVERYONE) -> Deed:
    return lambda: publish_post(by=author, content="Hello", nonce=ids.new_id(), audience=audience)


def posts_in_hand_reach_nobody_who_left(
    fans: list[Viewer], author: Viewer, act: Deed
) -> ChangeOfMind:
    """Of five, one leaves, one mutes, one blocks and one leaves and comes back."""
    leaves, mutes, blocks, returns, _ = fans

    def check() -> None:
        assert [len(timeline_of(fan)) for fan in fans] == [0, 0, 0, 1, 1]

    deeds = in_turn(
        lambda: unfollow(by=leaves, user_id=author.user_id),
        lambda: mute(by=mutes, user_id=author.user_id),
        lambda: block(by=blocks, user_id=author.user_id),
        lambda: unfollow(by=returns, user_id=author.user_id),
        lambda: follow(by=returns, user_id=author.user_id),
    )
    return ChangeOfMind(act, deeds, check)


@freeze()
def a_fan_out_at_once() -> ChangeOfMind:
    alice = person("alice")
    return posts_in_hand_reach_nobody_who_left(fans_of(alice, 5), alice, say(alice))


@freeze(FAN_OUT_INLINE=1, FAN_OUT_STEP=5)
def a_fan_out_by_a_job() -> ChangeOfMind:
    alice = person("alice")
    fans = fans_of(alice, 5)
    return posts_in_hand_reach_nobody_who_left(fans, alice, say(alice))


@freeze()
def a_fan_out_to_friends() -> ChangeOfMind:
    alice = person("alice")
    friends = [person(f"friend_{number}") for number in range(3)]
    for friend in friends:
        befriend(alice, friend)

    def check() -> None:
        assert [len(timeline_of(friend)) for friend in friends] == [0, 0, 1]

    deeds = in_turn(
        lambda: mute(by=friends[0], user_id=alice.user_id),
        lambda: block(by=friends[1], user_id=alice.user_id),
    )
    return ChangeOfMind(say(alice, Audience.FRIENDS), deeds, check)


def to_and_fro(act: str, change_of_mind: str, *, seen: bool, follows: bool) -> ChangeOfMind:
    """Bob does one thing about Alice, who has five posts, and then the contrary."""
    alice, bob = person("alice"), person("bob")
    posts = [post(alice, f"number {number}") for number in range(5)]
    if follows:
        follow(by=bob, user_id=alice.user_id)
    whom = {"by": bob, "user_id": alice.user_id}
    deeds: dict[str, Deed] = {
        "follow": lambda: follow(**whom),
        "unfollow": lambda: unfollow(**whom),
        "mute": lambda: mute(**whom),
        "unmute": lambda: unmute(**whom),
        "block": lambda: block(**whom),
        "return": in_turn(lambda: unblock(**whom), lambda: follow(**whom)),
    }
    if act == "unmute":
        mute(**whom)

    def check() -> None:
        assert timeline_of(bob) == (posts[::-1] if seen else [])

    return ChangeOfMind(deeds[act], deeds[change_of_mind], check)


@freeze()
def a_follow_taken_back() -> ChangeOfMind:
    return to_and_fro("follow", "unfollow", seen=False, follows=False)


@freeze()
def an_unfollow_taken_back() -> ChangeOfMind:
    return to_and_fro("unfollow", "follow", seen=True, follows=True)


@freeze()
def a_mute_taken_back() -> ChangeOfMind:
    return to_and_fro("mute", "unmute", seen=True, follows=True)


@freeze()
def an_unmute_taken_back() -> ChangeOfMind:
    return to_and_fro("unmute", "mute", seen=False, follows=True)


@freeze()
def a_block_taken_back() -> ChangeOfMind:
    return to_and_fro("block", "return", seen=True, follows=True)


@freeze()
def a_follow_then_a_block() -> ChangeOfMind:
    return to_and_fro("follow", "block", seen=False, follows=False)


@freeze(PULL_ABOVE=1, FAN_OUT_STEP=10)
def an_author_who_crosses_to_being_pulled() -> ChangeOfMind:
    alice = person("alice")
    leaves, stays = fans_of(alice, 2)

    def check() -> None:
        assert [pulled_by(leaves), pulled_by(stays)] == [(), (alice.user_id,)]
        assert [len(timeline_of(leaves)), len(timeline_of(stays))] == [0, 1]

    return ChangeOfMind(say(alice), lambda: unfollow(by=leaves, user_id=alice.user_id), check)


@freeze(PULL_ABOVE=1, FAN_OUT_STEP=10)
def news_that_is_merged() -> ChangeOfMind:
    alice = person("alice")
    leaves, stays = fans_of(alice, 2)
    post(alice)

    def check() -> None:
        assert [len(timeline_of(leaves)), len(timeline_of(stays))] == [0, 1]

    open_all = in_turn(*(partial(open_home, fan) for fan in (leaves, stays)))
    return ChangeOfMind(open_all, lambda: unfollow(by=leaves, user_id=alice.user_id), check)


@freeze()
def a_timeline_that_is_rebuilt() -> ChangeOfMind:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    for author in (alice, carol):
        follow(by=bob, user_id=author.user_id)
    long_ago = (datetime.now(UTC) - timedelta(days=60)).date().isoformat()
    last_here(bob, long_ago)
    post(alice)
    kept = post(carol)

    def check() -> None:
        assert timeline_of(bob) == [kept]

    return ChangeOfMind(
        lambda: sign_in(user_id=bob.user_id, browser="tests"),
        lambda: unfollow(by=bob, user_id=alice.user_id),
        check,
    )

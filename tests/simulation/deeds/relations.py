"""Following, friends, blocks, mutes, circles."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from accounts.people.reads import get_user_info
from relations.blocks.writes import block, mute, unblock, unmute
from relations.follows.writes import (
    accept_follow_request,
    decline_follow_request,
    follow_or_ask,
    remove_follower,
    unfollow,
    withdraw_follow_request,
)
from relations.friends.writes import (
    accept_friend,
    create_circle,
    decline_friend,
    end_friendship,
    file_friend,
    request_friend,
    withdraw_friend_request,
)
from socialsite.clock import utc_now
from tests.simulation.deeds import deed
from tests.simulation.deeds.casting import known, mark_pair, pair, someone, two
from tests.simulation.model import Person
from tests.simulation.world import Deed, World


def _between(
    world: World,
    name: str,
    one: Person,
    other: Person,
    act: Callable[[], Any],
    done: Callable[[Any], None] = lambda _: None,
) -> Deed:
    return Deed(
        name,
        one.user_id,
        act,
        done,
        touches=(pair(one, other),),
        unsure=lambda: mark_pair(world, one, other),
        refused=lambda _: mark_pair(world, one, other),
    )


@deed(90)
def follows(world: World) -> Deed | None:
    if not (both := two(world)):
        return None
    one, other = both

    def act() -> bool:
        by = known(one)
        return follow_or_ask(by=by, person=get_user_info(other.user_id))

    def done(is_followed: bool) -> None:
        if is_followed:
            world.model.follow(one.user_id, other.user_id)
        else:
            mark_pair(world, one, other)

    return _between(world, "follow", one, other, act, done)


@deed(25)
def unfollows(world: World) -> Deed | None:
    pairs = [
        (one, other)
        for one, other in world.model.follows
        if not world.model.people[one].busy and world.model.people[one].is_here
    ]
    if not pairs:
        return None
    one_id, other_id = world.chance.choice(pairs)
    one, other = world.model.people[one_id], world.model.people[other_id]

    def act() -> None:
        card = get_user_info(other_id)
        unfollow(by=known(one), user_id=other_id, is_widely_followed=card.is_widely_followed)

    return _between(
        world, "unfollow", one, other, act, lambda _: world.model.unfollow(one_id, other_id)
    )


@deed(6)
def removes_a_follower(world: World) -> Deed | None:
    if not (both := two(world)):
        return None
    one, other = both
    return _between(
        world,
        "remove a follower",
        one,
        other,
        lambda: remove_follower(by=known(one), user_id=other.user_id),
        lambda _: world.model.unfollow(other.user_id, one.user_id),
    )


@deed(12)
def answers_a_request(world: World) -> Deed | None:
    asks = [
        (one, other)
        for one, other in sorted(world.model.asks)
        if not world.model.people[other].busy
    ]
    if not asks:
        return None
    one_id, other_id = world.chance.choice(asks)
    one, other = world.model.people[one_id], world.model.people[other_id]
    if not other.is_here:
        return None
    accepts = world.chance.random() < 0.7
    answer = accept_follow_request if accepts else decline_follow_request

    def done(_: Any) -> None:
        world.model.asks.discard((one_id, other_id))
        if accepts:
            world.model.follow(one_id, other_id)

    return _between(
        world, "answer a request", other, one, lambda: answer(by=known(other), user_id=one_id), done
    )


@deed(3)
def withdraws_a_request(world: World) -> Deed | None:
    if not world.model.asks:
        return None
    one_id, other_id = world.chance.choice(sorted(world.model.asks))
    one, other = world.model.people[one_id], world.model.people[other_id]
    if one.busy or not one.is_here:
        return None
    return _between(
        world,
        "withdraw a request",
        one,
        other,
        lambda: withdraw_follow_request(by=known(one), user_id=other_id),
        lambda _: world.model.asks.discard((one_id, other_id)),
    )


@deed(12)
def blocks(world: World) -> Deed | None:
    if not (both := two(world)):
        return None
    one, other = both
    return _between(
        world,
        "block",
        one,
        other,
        lambda: block(by=known(one), user_id=other.user_id),
        lambda _: world.model.block(one.user_id, other.user_id),
    )


@deed(12)
def unblocks(world: World) -> Deed | None:
    if not world.model.blocks:
        return None
    one_id, other_id = world.chance.choice(sorted(world.model.blocks))
    one, other = world.model.people[one_id], world.model.people[other_id]
    if one.busy or not one.is_here:
        return None
    return _between(
        world,
        "unblock",
        one,
        other,
        lambda: unblock(by=known(one), user_id=other_id),
        lambda _: world.model.blocks.discard((one_id, other_id)),
    )


@deed(8)
def mutes(world: World) -> Deed | None:
    if not (both := two(world)):
        return None
    one, other = both
    hours = world.chance.choice((0, 1, 24, 24 * 7))

    def act() -> None:
        until = utc_now() + timedelta(hours=hours) if hours else None
        mute(by=known(one), user_id=other.user_id, until=until)

    return _between(world, "mute", one, other, act, lambda _: mark_pair(world, one, other))


@deed(6)
def unmutes(world: World) -> Deed | None:
    if not world.model.mutes:
        return None
    one_id, other_id = world.chance.choice(sorted(world.model.mutes))
    one, other = world.model.people[one_id], world.model.people[other_id]
    if one.busy or not one.is_here:
        return None
    return _between(
        world,
        "unmute",
        one,
        other,
        lambda: unmute(by=known(one), user_id=other_id),
        lambda _: mark_pair(world, one, other),
    )


@deed(30)
def asks_to_be_friends(world: World) -> Deed | None:
    if not (both := two(world)):
        return None
    one, other = both
    return _between(
        world,
        "ask to be friends",
        one,
        other,
        lambda: request_friend(by=known(one), user_id=other.user_id),
        lambda _: mark_pair(world, one, other),
    )


@deed(20)
def answers_a_friend(world: World) -> Deed | None:
    if not world.model.friend_asks:
        return None
    one_id, other_id = world.chance.choice(sorted(world.model.friend_asks))
    one, other = world.model.people[one_id], world.model.people[other_id]
    if other.busy or not other.is_here:
        return None
    (answer,) = world.chance.choices((accept_friend, decline_friend), (3, 1))
    return _between(
        world,
        "answer a friend",
        other,
        one,
        lambda: answer(by=known(other), user_id=one_id),
        lambda _: mark_pair(world, one, other),
    )


@deed(4)
def withdraws_a_friend_request(world: World) -> Deed | None:
    if not world.model.friend_asks:
        return None
    one_id, other_id = world.chance.choice(sorted(world.model.friend_asks))
    one, other = world.model.people[one_id], world.model.people[other_id]
    if one.busy or not one.is_here:
        return None
    return _between(
        world,
        "withdraw a friend request",
        one,
        other,
        lambda: withdraw_friend_request(by=known(one), user_id=other_id),
        lambda _: mark_pair(world, one, other),
    )


@deed(6)
def ends_a_friendship(world: World) -> Deed | None:
    if not world.model.friends:
        return None
    one_id, other_id = world.chance.choice(sorted(world.model.friends))
    one, other = world.model.people[one_id], world.model.people[other_id]
    if one.busy or not one.is_here:
        return None
    return _between(
        world,
        "end a friendship",
        one,
        other,
        lambda: end_friendship(by=known(one), user_id=other_id),
        lambda _: world.model.unfriend(one_id, other_id),
    )


@deed(5)
def makes_a_circle(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    name = world.chance.choice(("Chess", "Family", "Work"))

    def done(circle_id: str) -> None:
        one.circles[circle_id] = name

    return Deed("make a circle", one.user_id, lambda: create_circle(by=known(one), name=name), done)


@deed(12)
def files_a_friend(world: World) -> Deed | None:
    pairs = sorted(pair for pair in world.model.friends if world.model.people[pair[0]].circles)
    if not pairs:
        return None
    one_id, other_id = world.chance.choice(pairs)
    one, other = world.model.people[one_id], world.model.people[other_id]
    if one.busy or not one.is_here:
        return None
    circles = frozenset(
        circle_id for circle_id in sorted(one.circles) if world.chance.random() < 0.7
    )

    def done(_: Any) -> None:
        world.model.circled[one_id, other_id] = circles

    return _between(
        world,
        "file a friend",
        one,
        other,
        lambda: file_friend(by=known(one), user_id=other_id, circles=circles, note="A friend"),
        done,
    )

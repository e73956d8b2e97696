"""Private messages of two people and of a few, which live for seven days."""

from typing import Any

from chats.groups.writes import accept_invitation, found_group, invite, leave_group, remove_member
from chats.own_entries.writes import clear_chat
from chats.reads import get_chat
from chats.writes import (
    accept_chat,
    delete_message,
    read_messages,
    refuse_chat,
    send_message,
)
from socialsite.table import ids, keys
from tests.simulation.clockwork import clock
from tests.simulation.deeds import deed
from tests.simulation.deeds.casting import known, someone, two
from tests.simulation.deeds.posts import nonce_of, text_of
from tests.simulation.model import Message, Person
from tests.simulation.world import Deed, World

MOST_GROUPS = 12


def _sends(world: World, one: Person, chat_id: str) -> Deed:
    text, nonce = text_of(world, one), nonce_of(world)

    def done(sent: Any) -> None:
        if sent.message:
            written = Message(sent.message.message_id, one.user_id, text, clock.now)
            world.model.messages[chat_id].append(written)

    return Deed(
        "write a message",
        one.user_id,
        lambda: send_message(by=known(one), chat_id=chat_id, text=text, nonce=nonce),
        done,
        touches=(("chat", chat_id, one.user_id),),
    )


@deed(45)
def writes(world: World) -> Deed | None:
    if not (both := two(world)):
        return None
    one, other = both
    chat_id = keys.pair(one.user_id, other.user_id)
    mine = [c for c in sorted(world.model.messages) if one.user_id in c]
    if mine and world.chance.random() < 0.6:
        chat_id = world.chance.choice(mine)
    return _sends(world, one, chat_id)


def _in_a_chat(world: World) -> tuple[Person, str] | None:
    if not (one := someone(world)):
        return None
    mine = [c for c in sorted(world.model.messages) if one.user_id in c]
    return (one, world.chance.choice(mine)) if mine else None


@deed(16)
def takes_messages(world: World) -> Deed | None:
    if not (found := _in_a_chat(world)):
        return None
    one, chat_id = found
    takes = world.chance.random() < 0.85
    act = accept_chat if takes else refuse_chat
    return Deed(
        "take messages" if takes else "refuse messages",
        one.user_id,
        lambda: act(by=known(one), chat_id=chat_id),
        lambda _: None,
        touches=(("chat", chat_id, one.user_id),),
    )


@deed(25)
def reads(world: World) -> Deed | None:
    if not (found := _in_a_chat(world)):
        return None
    one, chat_id = found

    seen: list[str] = []  # what the page showed: a second try sends the same

    def act() -> None:
        by = known(one)
        seen[:] = seen or [get_chat(by, chat_id).newest]
        if seen[0]:
            read_messages(by=by, chat_id=chat_id, up_to=seen[0])

    return Deed("read messages", one.user_id, act)


@deed(6)
def deletes_a_message(world: World) -> Deed | None:
    if not (found := _in_a_chat(world)):
        return None
    one, chat_id = found
    own = [m for m in world.model.messages[chat_id] if m.by == one.user_id and not m.is_deleted]
    if not own:
        return None
    message = world.chance.choice(own)

    def done(_: Any) -> None:
        message.is_deleted = True

    return Deed(
        "delete a message",
        one.user_id,
        lambda: delete_message(by=known(one), chat_id=chat_id, message_id=message.message_id),
        done,
        touches=(("chat", chat_id, one.user_id),),
    )


@deed(4)
def clears_a_chat(world: World) -> Deed | None:
    if not (found := _in_a_chat(world)):
        return None
    one, chat_id = found

    seen: list[str] = []

    def act() -> None:
        by = known(one)
        seen[:] = seen or [get_chat(by, chat_id).newest]
        if seen[0]:
            clear_chat(by=by, chat_id=chat_id, up_to=seen[0])

    def done(_: Any) -> None:
        world.model.cleared.add((one.user_id, chat_id))

    return Deed("clear a chat", one.user_id, act, done, refused=lambda _: done(None))


# Groups


@deed(5)
def founds_a_group(world: World) -> Deed | None:
    if len(world.model.groups) > MOST_GROUPS or not (one := someone(world)):
        return None
    others = [each for each in world.model.living() if each is not one]
    invited = [each.user_id for each in world.chance.sample(others, min(3, len(others)))]
    chat_id = ids.id_at(_moment(), world.chance.randbytes(10))

    def done(_: Any) -> None:
        world.model.groups[chat_id] = one.user_id
        world.model.invited |= {(each, chat_id) for each in invited}

    return Deed(
        "found a group",
        one.user_id,
        lambda: found_group(by=known(one), chat_id=chat_id, title="Tea", invited=invited),
        done,
    )


def _moment() -> Any:
    from socialsite.clock import utc_now

    return utc_now()


@deed(14)
def joins_a_group(world: World) -> Deed | None:
    waiting = [
        (who, chat_id)
        for who, chat_id in sorted(world.model.invited)
        if world.model.people[who].is_here and not world.model.people[who].busy
    ]
    if not waiting:
        return None
    who, chat_id = world.chance.choice(waiting)
    one = world.model.people[who]

    def done(_: Any) -> None:
        world.model.invited.discard((who, chat_id))
        world.model.members.add((who, chat_id))

    return Deed(
        "join a group",
        who,
        lambda: accept_invitation(by=known(one), chat_id=chat_id),
        done,
        refused=lambda _: world.model.invited.discard((who, chat_id)),
    )


@deed(14)
def writes_to_a_group(world: World) -> Deed | None:
    mine = [
        (who, chat_id)
        for who, chat_id in sorted(world.model.members)
        if world.model.people[who].is_here and not world.model.people[who].busy
    ]
    if not mine:
        return None
    who, chat_id = world.chance.choice(mine)
    return _sends(world, world.model.people[who], chat_id)


@deed(4)
def leaves_a_group(world: World) -> Deed | None:
    mine = [
        (who, chat_id)
        for who, chat_id in sorted(world.model.members)
        if world.model.people[who].is_here and not world.model.people[who].busy
    ]
    if not mine:
        return None
    who, chat_id = world.chance.choice(mine)
    one, founder = world.model.people[who], world.model.groups[chat_id]
    led = world.model.people[founder]
    if world.chance.random() < 0.4 and led.is_here and not led.busy and founder != who:
        return Deed(
            "remove a member",
            founder,
            lambda: remove_member(by=known(led), chat_id=chat_id, user_id=who),
            lambda _: world.model.members.discard((who, chat_id)),
        )
    return Deed(
        "leave a group",
        who,
        lambda: leave_group(by=known(one), chat_id=chat_id),
        lambda _: world.model.members.discard((who, chat_id)),
    )


@deed(4)
def invites(world: World) -> Deed | None:
    led = [
        (founder, chat_id)
        for chat_id, founder in sorted(world.model.groups.items())
        if world.model.people[founder].is_here and not world.model.people[founder].busy
    ]
    if not led:
        return None
    founder, chat_id = world.chance.choice(led)
    other = world.chance.choice(world.model.living())
    return Deed(
        "invite",
        founder,
        lambda: invite(
            by=known(world.model.people[founder]), chat_id=chat_id, user_ids=[other.user_id]
        ),
        lambda _: world.model.invited.add((other.user_id, chat_id)),
    )

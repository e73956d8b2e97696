"""Joining, handles, locks, exports, closing an account and coming back."""

from typing import Any

from accounts.people.reads import HandleTaken, find_user_by_handle
from accounts.profile.writes import change_handle, edit_profile, save_privacy
from accounts.sign_up.writes import sign_up
from privacy.erasure.writes import close_account, keep_account
from privacy.export.writes import ask_for_export
from tests.conftest import PASSWORD
from tests.simulation.deeds import deed
from tests.simulation.deeds.casting import known, someone
from tests.simulation.model import Person
from tests.simulation.world import Deed, World

FIRST, MOST = 12, 45  # people who are here at once
STAFF = {0: "admin", 1: "moderator", 2: "moderator"}


@deed(40)
def joins(world: World) -> Deed | None:
    here = len(world.model.living()) + sum(d.name == "sign up" for d in world.under_way)
    if here >= MOST or (here > FIRST and world.chance.random() < here / MOST):
        return None
    return newcomer(world)


def newcomer(world: World, role: str = "") -> Deed:
    world.counts["people"] += 1
    number = world.counts["people"]
    handle = f"p{number}h{world.chance.getrandbits(16):x}"
    email = f"{handle}@example.org"

    def act() -> str:
        try:
            return sign_up(
                handle=handle,
                name=f"Name of {handle}",
                email=email,
                password=PASSWORD,
                confirmed=True,
                role=role or None,
            )
        except HandleTaken:  # by the try before, whose answer was lost
            return find_user_by_handle(handle)

    def done(user_id: str) -> None:
        person = Person(user_id, handle, number, role=role, email=email)
        person.words |= {handle, email}
        world.model.people[user_id] = person

    return Deed("sign up", f"newcomer {number}", act, done)


@deed(6)
def changes_the_handle(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    handle = f"p{one.number}h{world.chance.getrandbits(16):x}"

    def done(_: Any) -> None:
        one.handle = handle
        one.words.add(handle)

    return Deed(
        "change the handle",
        one.user_id,
        lambda: change_handle(by=known(one), handle=handle),
        done,
        touches=(("person", one.user_id),),
    )


@deed(6)
def edits_the_profile(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    bio = f"w{one.number}b{world.chance.getrandbits(30):x} about me"
    one.words.add(bio.split()[0])
    return Deed("edit the profile", one.user_id, lambda: edit_profile(by=known(one), bio=bio))


@deed(6)
def locks_or_opens(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None
    locked = not one.is_locked

    def act() -> None:
        save_privacy(
            by=known(one),
            locked=locked,
            archived_before=None,
            not_suggested=False,
            not_indexed=False,
        )

    def done(_: Any) -> None:
        one.is_locked = locked

    return Deed("lock or open", one.user_id, act, done, touches=(("person", one.user_id),))


@deed(3)
def asks_for_an_export(world: World) -> Deed | None:
    if not (one := someone(world)):
        return None

    def act() -> None:
        ask_for_export(by=known(one), site="https://testserver", language="en", zone="UTC")

    return Deed("ask for an export", one.user_id, act)


@deed(5)
def closes_the_account(world: World) -> Deed | None:
    if len(world.model.living()) < FIRST or not (one := someone(world)):
        return None
    at_once = world.chance.random() < 0.6

    def done(_: Any) -> None:
        one.state = "closing"

    def refused(_: BaseException) -> None:
        one.state = "unsure"

    return Deed(
        "close at once" if at_once else "close",
        one.user_id,
        lambda: close_account(by=known(one), at_once=at_once),
        done,
        touches=(("person", one.user_id),),
        refused=refused,
    )


@deed(4)
def comes_back(world: World) -> Deed | None:
    closing = [one for one in world.model.people.values() if one.state == "closing"]
    if not closing:
        return None
    one = world.chance.choice(closing)
    if one.busy:
        return None

    def done(_: Any) -> None:
        one.state = "unsure"

    return Deed(
        "come back",
        one.user_id,
        lambda: keep_account(by=known(one, locked_out=True)),
        done,
        touches=(("person", one.user_id),),
        refused=lambda _: done(None),
    )

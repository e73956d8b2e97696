"""Roles and permissions: a person has one role, and a role is a set of permissions.

Three roles are built in, and the site can create its own. Pages ask with `permission_required` (`guards.py`). Staff can
only give and remove permissions that they have themselves. Nobody can change their own role.
"""

import re
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings
from django.utils.translation import gettext

from accounts.models import UserInfo
from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from socialsite.engine.program import EngineError
from socialsite.models import Role, Staff
from socialsite.observing.logs import Event, note_event
from socialsite.process_state import kept_by_process
from socialsite.table import (
    Change,
    Check,
    Conflict,
    Create,
    Delete,
    NotFound,
    RawItem,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    keys,
    query,
    reading,
    row,
    transact,
)
from socialsite.texts import isolated


class Permission(StrEnum):
    CASES = "cases"  # reports, appeals, held posts: read, and act up to freezing
    SUSPEND = "suspend"
    PEOPLE = "people"  # find everyone, see what is known of them, note it, open cases
    ORIGINS = "origins"  # with PEOPLE: who signed in from the same network or browser
    SIGN_UPS = "sign-ups"  # approve them, make invites
    SITE = "site"  # site rules, word filters, blocks, banner, settings
    ROLES = "roles"
    LOG = "log"  # read the audit log
    OVERVIEW = "overview"
    WORKER = "worker"
    LENS = "lens"  # what pages ask of the table, and the table itself, with values covered
    COSTS = "costs"  # what the site spends and stores, and counting what is stored


Permissions = frozenset[Permission]
_for_menus: dict[str, tuple[Permissions, float]] = {}  # of each role, with its expiry

MODERATOR = "moderator"
JUNIOR = "junior_moderator"  # no role of a site's own can have this name
ADMIN = "admin"
BUILT_IN: dict[str, Permissions] = {
    JUNIOR: frozenset(
        {Permission.CASES, Permission.SUSPEND, Permission.PEOPLE, Permission.OVERVIEW}
    ),
    MODERATOR: frozenset(
        {
            Permission.CASES,
            Permission.SUSPEND,
            Permission.PEOPLE,
            Permission.SIGN_UPS,
            Permission.LOG,
            Permission.OVERVIEW,
        }
    ),
    ADMIN: frozenset(Permission),
}


@dataclass(frozen=True, slots=True)
class RoleCard:
    """A role as pages show it."""

    name: str
    title: str
    permissions: Permissions
    is_built_in: bool = False


def permissions_of(viewer: Viewer) -> Permissions:
    """Returns what someone may do, nothing without a role. Built-in roles cost no read, others as
    `permissions_of_role`."""
    return permissions_of_role(viewer.card.role) if viewer.card else frozenset()


@access_pattern
def permissions_of_role(name: str) -> Permissions:
    """Returns the permissions of a role, none if it does not exist. GetItem of a role of the site's own: 0.5 read
    units."""
    if not name or name in BUILT_IN:
        return BUILT_IN.get(name, frozenset())
    try:
        return _known(reading.get(Role, keys.role(name)).permissions)
    except NotFound:
        return frozenset()


def is_junior(viewer: Viewer) -> bool:
    """Whether someone decides cases within the limits that staff set for juniors (`moderation/cases/limits.py`)."""
    return viewer.card is not None and viewer.card.role == JUNIOR


def outranks(viewer: Viewer, role: str) -> bool:
    """Whether someone stands above everyone with this role: they may do all that it permits, and more. Nobody stands
    above their own rank, and everyone with a role above people without one. Costs as `permissions_of_role`, nothing
    for built-in roles."""
    return permissions_of_role(role) < permissions_of(viewer)


def permissions_for_menus(viewer: Viewer) -> Permissions:
    """Returns what someone could do at most `STAFF_NAV_SECONDS` ago, for what every page shows: each process keeps it.
    Guards never use it. Costs nothing without a role, otherwise as `permissions_of_role` once in that time."""
    if viewer.card is None or not viewer.card.role:
        return frozenset()
    name = viewer.card.role
    permissions, until = _for_menus.get(name, (frozenset(), 0.0))
    if time.monotonic() >= until:
        with suppress(TableError, EngineError):  # no page fails because of this
            permissions = permissions_of_role(name)
        _for_menus[name] = (permissions, time.monotonic() + settings.STAFF_NAV_SECONDS)
    return permissions


@kept_by_process
def forget_menus() -> None:
    """Makes this process read again. Call it after staff change a role."""
    _for_menus.clear()


@access_pattern
def list_roles() -> list[RoleCard]:
    """Returns every role, the built-in ones first. One Query, 0.5 read units per 4 KB."""
    own = [_role_card(raw) for raw in query(keys.roles())]
    titles = {
        JUNIOR: gettext("Junior moderator"),
        MODERATOR: gettext("Moderator"),
        ADMIN: gettext("Administrator"),
    }
    built_in = [
        RoleCard(name, titles[name], permissions, is_built_in=True)
        for name, permissions in BUILT_IN.items()
    ]
    return [*built_in, *own]


@access_pattern
def list_staff() -> list[PersonCard]:
    """Returns everyone who has a role, by name. One Query, and one BatchGetItem of 0.5 read units a person."""
    return staff_among(row(Staff, raw).user_id for raw in query(keys.staff()))


@access_pattern
def list_staff_ids() -> set[str]:
    """Returns who has a role. One Query, consistent, 1 read unit for about 40 people."""
    return {row(Staff, raw).user_id for raw in query(keys.staff(), consistent=True)}


@access_pattern
def staff_among(user_ids: Iterable[str]) -> list[PersonCard]:
    """Returns those of these people who have a role, by name. One BatchGetItem of 0.5 read units a person."""
    infos = fetch(keys.user_info(user_id) for user_id in user_ids).values()
    cards = [card for card in map(PersonCard.from_raw, infos) if card.role]
    return sorted(cards, key=lambda card: card.name.casefold())


def _role_card(raw: RawItem) -> RoleCard:
    role = row(Role, raw)
    return RoleCard(
        name=role.name,
        title=isolated(role.title),
        permissions=_known(role.permissions),
    )


def _known(names: Iterable[str]) -> Permissions:
    """Returns permissions by name, without names that the code no longer has."""
    wanted = set(names)
    return frozenset(permission for permission in Permission if permission in wanted)


ROLE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,29}")
TITLE_MAX_CHARACTERS = 50


class NoSuchRole(TableError):
    """No role has this name."""


class OwnRole(TableError):
    """Nobody can change their own role."""


class BeyondOwn(TableError):
    """The role has a permission that the giver does not have."""


class RoleChanged(Conflict):
    """Someone else changed the person's role at this moment."""


class BadRole(TableError):
    """A role needs a name that is not built in, and a permission."""


class RoleInUse(TableError):
    """Someone has the role."""


@access_pattern
def grant_role(*and_also: WriteAction, by: Viewer, user_id: str, role: str) -> bool:
    """Gives a person a role, or removes it (`role` empty). Raises `OwnRole`, `BeyondOwn`, and what `set_role` raises.

    Costs as much as `set_role`, and a GetItem for each of the site's own roles. `and_also` happens together with it or
    not at all. If the person already has the role, nothing is done and it returns False.
    """
    if user_id == by.user_id:
        raise OwnRole
    held = _held(user_id)
    if not permissions_of(by) >= permissions_of_role(held.role) | permissions_of_role(role):
        raise BeyondOwn
    return _write_role(held, role, and_also)


@access_pattern
def set_role(*, user_id: str, role: str) -> None:
    """Gives a person a role or removes it without an actor, for the command line. Raises `NoSuchRole`, `NotFound`,
    `RoleChanged`.

    One consistent BatchGetItem of UserInfo and Staff, 2 read units; one TransactWriteItems of UserInfo, of Staff if
    that begins or ends, and a check of a role that the site created: 2 to 6 write units.
    """
    _write_role(_held(user_id), role, ())


@access_pattern
def save_role(
    *and_also: WriteAction, by: Viewer, name: str, title: str, permissions: Iterable[Permission]
) -> None:
    """Creates a role, or changes its permissions for everyone who has it at once. Raises `BadRole`, `BeyondOwn`.

    One GetItem, 0.5 read units; one TransactWriteItems of Role, 2 write units.
    """
    wanted = frozenset(permissions)
    if not ROLE_NAME.fullmatch(name) or name in BUILT_IN or not wanted:
        raise BadRole
    old = permissions_of_role(name)
    if not permissions_of(by) >= old | wanted:
        raise BeyondOwn
    names = {str(permission) for permission in wanted}
    if old:
        actions = [Role.title.set(title), Role.permissions.set(names)]
        transact(Change(Role, keys.role(name), actions), *and_also)
    else:
        transact(Create(Role.new(name=name, title=title, permissions=names)), *and_also)


@access_pattern
def delete_role(*and_also: WriteAction, by: Viewer, name: str) -> bool:
    """Deletes a role that the site created. Returns whether it existed. Raises `BadRole`, `BeyondOwn`, `RoleInUse`.

    Reads as much as `list_staff`; one TransactWriteItems of Role, 2 write units. Someone who is given the role at this
    very moment has a role without permissions.
    """
    if name in BUILT_IN:
        raise BadRole
    if not permissions_of(by) >= permissions_of_role(name):
        raise BeyondOwn
    if any(person.role == name for person in list_staff()):
        raise RoleInUse
    try:
        transact(Delete(keys.role(name)), *and_also)
    except NotFound:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Held:
    """A person's role, and whether they are listed as staff. People who got their role before the list existed are
    not."""

    user_id: str
    role: str
    is_listed: bool


def _held(user_id: str) -> Held:
    info_key, staff_key = keys.user_info(user_id), keys.staff_member(user_id)
    found = fetch([info_key, staff_key], consistent=True)
    if info_key not in found:
        raise NotFound("no such person")
    return Held(user_id, row(UserInfo, found[info_key]).role, staff_key in found)


def _write_role(held: Held, role: str, and_also: Sequence[WriteAction]) -> bool:
    if role == held.role and bool(role) == held.is_listed:
        return False
    attribute = UserInfo.role
    change = Change(
        UserInfo,
        keys.user_info(held.user_id),
        [attribute.set(role) if role else attribute.remove()],
        condition=attribute == held.role if held.role else attribute.does_not_exist(),
        otherwise=RoleChanged,
    )
    actions: list[WriteAction] = [change]
    if role and not held.is_listed:
        actions.append(Create(Staff.new(user_id=held.user_id), otherwise=RoleChanged))
    elif held.is_listed and not role:
        actions.append(Delete(keys.staff_member(held.user_id), otherwise=RoleChanged))
    if role and role not in BUILT_IN:
        actions.append(Check(keys.role(role), otherwise=NoSuchRole))
    # Everyone who gives someone a first role creates the same `Staff`, so what another gave is not taken for this.
    transact(*actions, *and_also, may_be_own=bool(and_also))
    note_event(Event.ROLE_CHANGED, person=held.user_id, before=held.role, role=role)
    return True

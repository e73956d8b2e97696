"""Giving and removing roles, and the roles that the site creates for itself.

Staff can only give and remove permissions that they have themselves. Nobody can change their own role.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import UserInfo
from accounts.permissions import (
    BUILT_IN,
    Permission,
    list_staff,
    permissions_of,
    permissions_of_role,
)
from accounts.viewer import Viewer
from socialsite.models import Role, Staff
from socialsite.table import keys
from socialsite.table.actions import Change, Check, Create, Delete, WriteAction
from socialsite.table.errors import Conflict, NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event

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
    """Does the same without an actor, for the command line. Raises `NoSuchRole`, `NotFound`, `RoleChanged`.

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


def _write_role(held: Held, role: str, and_also: Iterable[WriteAction]) -> bool:
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
    transact(*actions, *and_also)
    note_event(Event.ROLE_CHANGED, person=held.user_id, before=held.role, role=role)
    return True

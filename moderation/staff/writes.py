"""Changes of roles, each with its entry in the audit log, and what a moderator chose for themselves: the languages in
which they read cases, and their last templates. Uses `accounts/permissions.py`."""

from collections.abc import Collection
from contextlib import suppress

from django.utils.text import slugify

from accounts import permissions as accounts
from accounts.people.viewer import Viewer
from accounts.permissions import Permission, list_roles
from moderation.cases.reads import last_presets_of
from moderation.log.writes import record_with
from socialsite.models import Staff
from socialsite.table import (
    AlreadyExists,
    Change,
    NotFound,
    TableError,
    WriteAction,
    access_pattern,
    ids,
    keys,
    transact,
)


class TooMany(TableError):
    """The list is full."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"at most {limit}")
        self.limit = limit


class ThereAlready(AlreadyExists):
    """It already exists."""


MOST_ROLES = 30


@access_pattern
def give_role(*, by: Viewer, user_id: str, role: str) -> None:
    """Gives a person a role, or removes it (`role` empty). Safe to repeat, and logged only if something changes.

    Costs as `grant_role`, and 1 read unit and 4 write units more. In all 6 to 10 write units and 3 read units. Raises
    what `grant_role` raises.
    """

    def write(*entry: WriteAction) -> bool:
        return accounts.grant_role(*entry, by=by, user_id=user_id, role=role)

    action, detail = ("give role", {"role": role}) if role else ("take role", None)
    record_with(write, by=by.user_id, action=action, person_id=user_id, detail=detail)


@access_pattern
def make_role(*, by: Viewer, title: str, permissions: Collection[Permission]) -> str:
    """Creates a role and returns its name. Raises `ThereAlready` if another role has the title, `TooMany`, `BeyondOwn`.

    Costs as `list_roles` and `save_role`, and 1 read unit and 4 write units more. In all 6 write units and 2 read
    units.
    """
    roles = list_roles()
    if any(role.title.casefold() == title.casefold() for role in roles):
        raise ThereAlready(title)
    if len(roles) >= MOST_ROLES:
        raise TooMany(MOST_ROLES)
    name = _name_from(title, {role.name for role in roles})
    change_role(by=by, name=name, title=title, permissions=permissions)
    return name


@access_pattern
def change_role(*, by: Viewer, name: str, title: str, permissions: Collection[Permission]) -> None:
    """Changes the title or permissions of a role, at once for everyone who has it. Costs as `save_role`, and 1 read
    unit and 4 write units more. In all 6 write units and 1.5 read units. Raises `BadRole`, `BeyondOwn`."""

    def write(*entry: WriteAction) -> bool:
        accounts.save_role(*entry, by=by, name=name, title=title, permissions=permissions)
        return True

    detail = {"role": name, "title": title, "permissions": sorted(map(str, permissions))}
    record_with(write, by=by.user_id, action="save role", detail=detail)


@access_pattern
def remove_role(*, by: Viewer, name: str) -> None:
    """Deletes a role that the site created. Does nothing if it is already gone. Costs as `delete_role`, and 1 read unit
    and 4 write units more. In all 6 write units and 1.5 read units. Raises `BadRole`, `BeyondOwn`, `RoleInUse`."""

    def write(*entry: WriteAction) -> bool:
        return accounts.delete_role(*entry, by=by, name=name)

    record_with(write, by=by.user_id, action="remove role", detail={"role": name})


def _name_from(title: str, taken: Collection[str]) -> str:
    name = slugify(title)[:30].strip("-")
    if accounts.ROLE_NAME.fullmatch(name) and name not in taken:
        return name
    return f"role-{ids.new_id().lower()[-20:]}"


@access_pattern
def choose_languages(*, by: Viewer, languages: Collection[str]) -> None:
    """Keeps the languages for the viewer alone; none means all. Safe to repeat. Raises `NotFound` if they have just
    lost their role. One TransactWriteItems, 2 write units."""
    chosen = Staff.languages.set(set(languages)) if languages else Staff.languages.remove()
    transact(Change(Staff, keys.staff_member(by.user_id), [chosen]))


@access_pattern
def remember_preset(*, by: Viewer, action: str, preset_id: str) -> None:
    """Keeps which template the viewer chose last for an action, for the viewer alone. Safe to repeat: nothing is
    written if it is the same. As `last_presets_of`, then one TransactWriteItems, 2 write units. In all 2 write units
    and 0.5 read units."""
    before = last_presets_of(by.user_id)
    if before.get(action) == preset_id:
        return
    chosen = Staff.last_presets.set({**before, action: preset_id})
    with suppress(NotFound):  # they have just lost their role
        transact(Change(Staff, keys.staff_member(by.user_id), [chosen]))

"""Roles of the staff: `accounts/services/grant_role.py`, each change with its entry in the audit log."""

from collections.abc import Collection

from django.utils.text import slugify

from accounts.permissions import Permission, list_roles
from accounts.services import grant_role as service
from accounts.viewer import Viewer
from moderation.audit.record import record_with
from moderation.rules.services.site import ThereAlready, TooMany
from socialsite.table import ids
from socialsite.table.actions import WriteAction
from socialsite.table.meter import access_pattern

MOST_ROLES = 30


@access_pattern
def give_role(*, by: Viewer, user_id: str, role: str) -> None:
    """Gives a person a role, or takes theirs away (`role` empty); the same again changes nothing and is not entered.

    Calls and units of `grant_role`, 1 read unit and 4 write units more. Raises what `grant_role` raises.
    """

    def write(*entry: WriteAction) -> bool:
        return service.grant_role(*entry, by=by, user_id=user_id, role=role)

    action, detail = ("give role", {"role": role}) if role else ("take role", None)
    record_with(write, by=by.user_id, action=action, person_id=user_id, detail=detail)


@access_pattern
def make_role(*, by: Viewer, title: str, permissions: Collection[Permission]) -> str:
    """Makes a role and returns its name. Raises `ThereAlready` for a title that another one has, `TooMany`,
    `BeyondOwn`.

    As `list_roles` and `save_role`, 1 read unit and 4 write units more.
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
    """Gives a role another title or other permissions, for all who have it at once. Calls and units of `save_role`, 1
    read unit and 4 write units more. Raises `BadRole`, `BeyondOwn`."""

    def write(*entry: WriteAction) -> bool:
        service.save_role(*entry, by=by, name=name, title=title, permissions=permissions)
        return True

    detail = {"role": name, "title": title, "permissions": sorted(map(str, permissions))}
    record_with(write, by=by.user_id, action="save role", detail=detail)


@access_pattern
def remove_role(*, by: Viewer, name: str) -> None:
    """Takes a role of the site's own away; one that is gone stays so. Calls and units of `delete_role`, 1 read unit and
    4 write units more. Raises `BadRole`, `BeyondOwn`, `RoleInUse`."""

    def write(*entry: WriteAction) -> bool:
        return service.delete_role(*entry, by=by, name=name)

    record_with(write, by=by.user_id, action="remove role", detail={"role": name})


def _name_from(title: str, taken: Collection[str]) -> str:
    name = slugify(title)[:30].strip("-")
    if service.ROLE_NAME.fullmatch(name) and name not in taken:
        return name
    return f"role-{ids.new_id().lower()[-20:]}"

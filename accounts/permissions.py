"""Roles and permissions: a person has one role, and a role is a set of permissions.

Two roles are built in, and the site can create its own. Pages ask with `permission_required` (`guards.py`). Roles are
given in `services/grant_role.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from socialsite.models import Role, Staff
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row


class Permission(StrEnum):
    CASES = "cases"  # reports, appeals, held posts: read, and act up to freezing
    SUSPEND = "suspend"
    PEOPLE = "people"  # find everyone, see what is known of them, note it, open cases
    SIGN_UPS = "sign-ups"  # approve them, make invites
    SITE = "site"  # site rules, word filters, blocks, banner, settings
    ROLES = "roles"
    LOG = "log"  # read the audit log
    OVERVIEW = "overview"
    WORKER = "worker"
    LENS = "lens"  # what pages ask of the table, and the table itself, with values covered
    COSTS = "costs"  # what the site spends and stores, and counting what is stored


Permissions = frozenset[Permission]

MODERATOR = "moderator"
ADMIN = "admin"
BUILT_IN: dict[str, Permissions] = {
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


@access_pattern
def list_roles() -> list[RoleCard]:
    """Returns every role, the built-in ones first. One Query, 0.5 read units per 4 KB."""
    own = [_role_card(raw) for raw in query(keys.roles())]
    titles = {MODERATOR: gettext("Moderator"), ADMIN: gettext("Administrator")}
    built_in = [
        RoleCard(name, titles[name], permissions, is_built_in=True)
        for name, permissions in BUILT_IN.items()
    ]
    return [*built_in, *own]


@access_pattern
def list_staff() -> list[PersonCard]:
    """Returns everyone who has a role, by name. One Query, and one BatchGetItem of 0.5 read units a person."""
    ids = [row(Staff, raw).user_id for raw in query(keys.staff())]
    infos = fetch(keys.user_info(user_id) for user_id in ids).values()
    cards = [card for card in map(PersonCard.from_raw, infos) if card.role]
    return sorted(cards, key=lambda card: card.name.casefold())


def _role_card(raw: RawItem) -> RoleCard:
    role = row(Role, raw)
    return RoleCard(
        name=role.name,
        title=role.title,
        permissions=_known(role.permissions),
    )


def _known(names: Iterable[str]) -> Permissions:
    """Returns permissions by name, without names that the code no longer has."""
    wanted = set(names)
    return frozenset(permission for permission in Permission if permission in wanted)

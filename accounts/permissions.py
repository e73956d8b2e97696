"""Roles and permissions: a person has one role, and a role is a set of permissions.

Two roles are built in, and the site can create its own. Pages ask with `permission_required` (`guards.py`). Roles are
given in `services/grant_role.py`.
"""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from django.conf import settings
from django.utils.translation import gettext

from accounts.cards import PersonCard
from accounts.viewer import Viewer
from socialsite.engine.errors import EngineError
from socialsite.models import Role, Staff
from socialsite.table import keys, reading
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, query
from socialsite.table.row import row
from socialsite.texts.unseen import isolated


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


def outranks(viewer: Viewer, role: str) -> bool:
    """Whether someone stands above everyone with this role: they may do all that it permits, and more. Nobody stands
    above their own rank, and everyone with a role above people without one. Costs as `permissions_of_role`, nothing
    for built-in roles."""
    return permissions_of_role(role) < permissions_of(viewer)


def permissions_for_menus(viewer: Viewer) -> Permissions:
    """Returns what someone could do at most `STAFF_NAV_SECONDS` ago, for what every page shows: each process keeps it.
    Guards never use it. Costs nothing without a role, otherwise as `permissions_of_role` once in that time."""
    if viewer.card is None or not viewer.is_staff:
        return frozenset()
    name = viewer.card.role
    permissions, until = _for_menus.get(name, (frozenset(), 0.0))
    if time.monotonic() >= until:
        with suppress(TableError, EngineError):  # no page fails because of this
            permissions = permissions_of_role(name)
        _for_menus[name] = (permissions, time.monotonic() + settings.STAFF_NAV_SECONDS)
    return permissions


def forget_menus() -> None:
    """Makes this process read again. Call it after staff change a role."""
    _for_menus.clear()


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
    return staff_among(row(Staff, raw).user_id for raw in query(keys.staff()))


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

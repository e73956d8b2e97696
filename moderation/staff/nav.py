"""The staff part of the navigation: the pages they can open, and how many cases wait.

Every page shows it to staff, so each process keeps the answers for `STAFF_NAV_SECONDS`. Guards never use it.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from django.conf import settings

from accounts.permissions import Permission, Permissions, forget_menus, permissions_for_menus
from accounts.viewer import Viewer
from moderation.cases.case_permissions import kinds_open_to
from moderation.models import Case, CaseKind, Queue
from moderation.staff.tabs import staff_tabs
from socialsite.engine.errors import EngineError
from socialsite.models import Staff
from socialsite.table import keys
from socialsite.table.errors import TableError
from socialsite.table.item import escalated_index_name
from socialsite.table.meter import access_pattern
from socialsite.table.reading import query, query_index
from socialsite.table.row import row

MOST_COUNTED = 100
MOST_DESKS = 50
DESKS = "desks"
PERMISSION_FOR = {
    Queue.REPORTS: Permission.CASES,
    Queue.APPEALS: Permission.CASES,
    Queue.HELD: Permission.CASES,
    Queue.SIGN_UPS: Permission.SIGN_UPS,
}

T = TypeVar("T")
_copies: dict[str, tuple[Any, float]] = {}  # with the expiry of each, on the monotonic clock


@dataclass(frozen=True, slots=True)
class StaffNav:
    """What a member of staff finds in the navigation. `waiting` is at most `MOST_COUNTED`."""

    has_pages: bool
    has_people: bool
    has_worker: bool
    has_lens: bool
    waiting: int

    @property
    def waiting_text(self) -> str:
        return shown_count(self.waiting)


def staff_nav(viewer: Viewer) -> StaffNav:
    """Returns the viewer's navigation, empty and without cost for people without a role.

    At most once in `STAFF_NAV_SECONDS` for each process: `count_waiting` of each queue that the viewer may open,
    `count_on_desks`, and the permissions of a role of the site's own. While the table cannot be read, the last answers
    hold.
    """
    if viewer.card is None or not viewer.is_staff:
        return StaffNav(
            has_pages=False, has_people=False, has_worker=False, has_lens=False, waiting=0
        )
    permissions = permissions_for_menus(viewer)
    waiting = 0
    for queue, permission in PERMISSION_FOR.items():
        if permission in permissions and waiting < MOST_COUNTED:
            waiting += _kept(keys.queue(queue), partial(count_waiting, queue), 0)
    if waiting < MOST_COUNTED:
        waiting += _on_desks(permissions)
    return StaffNav(
        has_pages=bool(staff_tabs(permissions)),
        has_people=Permission.PEOPLE in permissions,
        has_worker=Permission.WORKER in permissions,
        has_lens=Permission.LENS in permissions,
        waiting=min(waiting, MOST_COUNTED),
    )


def count_tabs(viewer: Viewer, permissions: Permissions) -> dict[str, int]:
    """Returns how many cases wait in each queue that these permissions open, on all desks (`desks`) and on the viewer's
    own (`mine`), at most `MOST_COUNTED`. Kept and read as `staff_nav` does; the own desk is one Query more."""
    waiting = {
        str(queue): _kept(keys.queue(queue), partial(count_waiting, queue), 0)
        for queue, permission in PERMISSION_FOR.items()
        if permission in permissions
    }
    desk = _kept(keys.desk(viewer.user_id), partial(count_own_desk, viewer.user_id), 0)
    return {**waiting, DESKS: min(_on_desks(permissions), MOST_COUNTED), "mine": desk}


def shown_count(waiting: int) -> str:
    return f"{MOST_COUNTED - 1}+" if waiting >= MOST_COUNTED else str(waiting)


def _on_desks(permissions: Permissions) -> int:
    nothing: Mapping[CaseKind, int] = {}
    counts = _kept(DESKS, count_on_desks, nothing)
    return sum(counts.get(kind, 0) for kind in kinds_open_to(permissions))


@access_pattern
def count_on_desks() -> Mapping[CaseKind, int]:
    """Returns how many cases of each kind are assigned to anyone, of at most `MOST_COUNTED` on a desk. A Query of the
    staff, and one of `escalatedIndex` for each of at most 50: 0.5 read units per 4 KB each."""
    staff = islice((row(Staff, raw).user_id for raw in query(keys.staff())), MOST_DESKS)
    desks = (
        query_index(escalated_index_name, keys.desk(user_id), limit=MOST_COUNTED)
        for user_id in staff
    )
    return Counter(CaseKind(row(Case, raw).kind) for desk in desks for raw in desk)


@access_pattern
def count_own_desk(user_id: str) -> int:
    """Returns how many cases are assigned to someone, at most `MOST_COUNTED`: one Query of `escalatedIndex`, 0.5 read
    units per 4 KB."""
    return len(query_index(escalated_index_name, keys.desk(user_id), limit=MOST_COUNTED))


@access_pattern
def count_waiting(queue: Queue) -> int:
    """Returns how many cases wait in a queue, at most `MOST_COUNTED`, each as often as it has appeals: one Query of
    `escalatedIndex`, 0.5 read units per 4 KB."""
    rows = query_index(escalated_index_name, keys.queue(queue), limit=MOST_COUNTED)
    return min(sum(max(1, int(row(Case, raw).appeals or 0)) for raw in rows), MOST_COUNTED)


def forget_staff_nav() -> None:
    """Makes this process read again. Call it after staff change a case."""
    _copies.clear()
    forget_menus()


def keep_counts(counts: Mapping[Queue, int]) -> None:
    """Keeps these counts of queues, and that no desk has a case, as if they had just been read."""
    until = time.monotonic() + settings.STAFF_NAV_SECONDS
    _copies.update({keys.queue(queue): (count, until) for queue, count in counts.items()})
    _copies[DESKS] = ({}, until)


def _kept(name: str, read: Callable[[], T], otherwise: T) -> T:
    value, until = _copies.get(name, (otherwise, 0))
    if time.monotonic() < until:
        return value
    with suppress(TableError, EngineError):  # no page fails because of this
        value = read()
    _copies[name] = (value, time.monotonic() + settings.STAFF_NAV_SECONDS)
    return value

"""The staff part of the navigation: the pages they can open, in groups, and how many cases wait. Each person sees the
tabs that they may open. Every page shows it to staff, so each process keeps the answers for `STAFF_NAV_SECONDS`. Guards
never use it."""

import time
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.people.viewer import Viewer
from accounts.permissions import (
    Permission,
    Permissions,
    forget_menus,
    is_junior,
    permissions_for_menus,
)
from moderation.cases.reads import kinds_open_to
from moderation.models import Queue
from moderation.staff.waiting import Waiting, WaitingNow, list_waiting
from socialsite.engine.program import EngineError
from socialsite.process_state import kept_by_process
from socialsite.table import TableError

GROUPS = (
    (
        _("Cases"),
        (
            ("queue", _("Queue"), {Permission.CASES, Permission.SIGN_UPS}),
            ("waves", _("Waves"), {Permission.CASES, Permission.SIGN_UPS}),
            ("people", _("People"), {Permission.PEOPLE}),
        ),
    ),
    (
        _("Oversight"),
        (
            ("log", _("Audit log"), {Permission.LOG}),
            ("overview", _("Overview"), {Permission.OVERVIEW}),
            ("costs", _("Costs"), {Permission.COSTS}),
            ("roles", _("Roles"), {Permission.ROLES}),
            ("holds", _("Legal holds"), {Permission.ROLES}),
        ),
    ),
    (
        _("The site"),
        (
            ("site", _("Site"), {Permission.SITE}),
            ("levels", _("Levels"), {Permission.SITE}),
            ("help", _("Who helps"), {Permission.SITE}),
            ("invites", _("Invitations"), {Permission.SIGN_UPS}),
            ("votes", _("Votes"), {Permission.SITE}),
            ("read-only", _("Read-only"), {Permission.SITE}),
        ),
    ),
    (
        _("Rules and filters"),
        (
            ("rules", _("Rules"), {Permission.SITE}),
            ("words", _("Filters"), {Permission.SITE}),
            ("topics", _("Topics"), {Permission.SITE}),
            ("pictures", _("Blocked pictures"), {Permission.SITE}),
            ("procedures", _("Illegal pictures"), {Permission.CASES, Permission.SITE}),
            ("blocks", _("Sign-up blocks"), {Permission.SITE}),
            ("presets", _("Templates"), {Permission.SITE}),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class StaffTab:
    name: str
    label: str

    @property
    def href(self) -> str:
        return f"/moderation/{self.name}"


@dataclass(frozen=True, slots=True)
class StaffGroup:
    label: str
    tabs: list[StaffTab]


def staff_tabs(permissions: Permissions) -> list[StaffGroup]:
    """Returns the tabs that these permissions open, without empty groups. Each needs one of the tab's permissions."""
    groups = [
        StaffGroup(
            str(title),
            [StaffTab(name, str(label)) for name, label, any_of in tabs if permissions & any_of],
        )
        for title, tabs in GROUPS
    ]
    return [group for group in groups if group.tabs]


MOST_COUNTED = 100
DESKS, MINE = "desks", "mine"
PERMISSION_FOR = {
    Queue.REPORTS: Permission.CASES,
    Queue.APPEALS: Permission.CASES,
    Queue.HELD: Permission.CASES,
    Queue.SIGN_UPS: Permission.SIGN_UPS,
    Queue.SENIORS: Permission.CASES,
}
SETTLES = 5.0  # seconds after a change in which its count may come
SETTLING = 1.0  # seconds that a count is kept meanwhile


@dataclass(slots=True)
class _Kept:
    """This process's copy, until when it is kept, and until when it may lack a change, on the monotonic clock."""

    waiting: WaitingNow
    until: float = 0
    settled: float = 0


def _nothing() -> WaitingNow:
    return WaitingNow({queue: Waiting(queue) for queue in Queue}, {})


_kept = _Kept(_nothing())


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

    At most once in `STAFF_NAV_SECONDS` for each process: `list_waiting`, and the permissions of a role of the site's
    own. While the table cannot be read, the last answers hold.
    """
    if viewer.card is None or not viewer.is_staff:
        return StaffNav(
            has_pages=False, has_people=False, has_worker=False, has_lens=False, waiting=0
        )
    permissions = permissions_for_menus(viewer)
    counts = _counts(permissions)
    if is_junior(viewer):
        counts.pop(Queue.SENIORS, 0)
    return StaffNav(
        has_pages=bool(staff_tabs(permissions)),
        has_people=Permission.PEOPLE in permissions,
        has_worker=Permission.WORKER in permissions,
        has_lens=Permission.LENS in permissions,
        waiting=min(sum(counts.values()), MOST_COUNTED),
    )


def count_tabs(viewer: Viewer, permissions: Permissions) -> dict[str, int]:
    """Returns how many cases wait in each queue that these permissions open, each as often as it has appeals, on all
    desks (`desks`) and on the viewer's own (`mine`), at most `MOST_COUNTED`. Kept and read as `staff_nav` does."""
    counts = _counts(permissions)
    if desk := _waiting().desks.get(viewer.user_id):
        counts[MINE] = desk.count
    return {name: min(count, MOST_COUNTED) for name, count in counts.items()}


def shown_count(waiting: int) -> str:
    return f"{MOST_COUNTED - 1}+" if waiting >= MOST_COUNTED else str(waiting)


def _counts(permissions: Permissions) -> dict[str, int]:
    waiting, kinds = _waiting(), kinds_open_to(permissions)
    counts = {
        str(queue): waiting.queues[queue].to_answer
        for queue, permission in PERMISSION_FOR.items()
        if permission in permissions
    }
    return {**counts, DESKS: sum(desk.of_kinds(kinds) for desk in waiting.desks.values())}


def _waiting() -> WaitingNow:
    now = time.monotonic()
    if now >= _kept.until:
        with suppress(TableError, EngineError):  # no page fails because of this
            _kept.waiting = list_waiting()
        seconds: float = settings.STAFF_NAV_SECONDS
        _kept.until = now + (min(seconds, SETTLING) if now < _kept.settled else seconds)
    return _kept.waiting


def count_soon() -> None:
    """Makes this process read again, and again until the clock has counted. Call it after staff change a case."""
    _forget_staff_nav()
    _kept.settled = time.monotonic() + SETTLES


@kept_by_process
def _forget_staff_nav() -> None:
    """Makes this process read again."""
    _kept.waiting, _kept.until, _kept.settled = _nothing(), 0, 0
    forget_menus()

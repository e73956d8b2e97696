"""The list of cases that a moderator works on, and what they did last. Addresses carry both from page to page, so the
next case comes from the list, and the next page reports the action, signed, and can undo it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self
from urllib.parse import urlencode

from django.core import signing
from django.core.exceptions import BadRequest
from django.utils.functional import Promise
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.people.viewer import Viewer
from accounts.permissions import Permissions
from moderation.cases.cards import LANGUAGES, URGENCIES, CaseRow
from moderation.cases.lists import (
    fitting,
    list_cases,
    list_cases_in,
    list_closed,
    list_desks,
    rows_of,
)
from moderation.cases.pressing import anything, list_pressing
from moderation.cases.reads import CaseId, kinds_open_to, languages_read_by, permission_for
from moderation.cases.words import done_word
from moderation.models import ActionKind, CaseKind, Queue
from socialsite.table import Page, keys

MY_LANGUAGES = "mine"
PRESSING = "pressing"
MOST_OF_A_REASON = 40


class QueueTab(StrEnum):
    REPORTS = Queue.REPORTS.value
    MINE = "mine"
    DESKS = "desks"
    SENIORS = Queue.SENIORS.value
    APPEALS = Queue.APPEALS.value
    HELD = Queue.HELD.value
    SIGN_UPS = Queue.SIGN_UPS.value
    CLOSED = "closed"


TITLES: dict[QueueTab, Promise] = {
    QueueTab.REPORTS: _("Reports"),
    QueueTab.MINE: pgettext_lazy("cases on a moderator's desk", "Mine"),
    QueueTab.DESKS: _("Assigned"),
    QueueTab.SENIORS: _("For seniors"),
    QueueTab.APPEALS: _("Appeals"),
    QueueTab.HELD: _("Held posts"),
    QueueTab.SIGN_UPS: _("Sign-ups"),
    QueueTab.CLOSED: pgettext_lazy("cases", "Closed"),
}
HOLDS: dict[QueueTab, frozenset[CaseKind]] = {
    QueueTab.REPORTS: frozenset({CaseKind.PERSON}),
    QueueTab.MINE: frozenset(CaseKind),
    QueueTab.DESKS: frozenset(CaseKind),
    QueueTab.SENIORS: frozenset(CaseKind),
    QueueTab.APPEALS: frozenset({CaseKind.PERSON, CaseKind.POST}),
    QueueTab.HELD: frozenset({CaseKind.POST}),
    QueueTab.SIGN_UPS: frozenset({CaseKind.SIGN_UP}),
    QueueTab.CLOSED: frozenset(CaseKind),
}
EMPTY: dict[QueueTab, Promise] = {
    QueueTab.REPORTS: _("All done. No reports are waiting."),
    QueueTab.MINE: _("No cases are assigned to you."),
    QueueTab.DESKS: _("No cases are assigned to anyone."),
    QueueTab.SENIORS: _("All done. No junior is waiting for an answer."),
    QueueTab.APPEALS: _("All done. No appeals are waiting."),
    QueueTab.HELD: _("All done. No posts are waiting for review."),
    QueueTab.SIGN_UPS: _("All done. Nobody is waiting to join."),
    QueueTab.CLOSED: _("No cases were closed in this month."),
}

ACT: tuple[tuple[str, Promise], ...] = (("", _("Act on selected")),)
BULK: dict[QueueTab, tuple[tuple[str, Promise], ...]] = {
    QueueTab.REPORTS: (
        (ActionKind.DISMISS, _("Dismiss selected")),
        *ACT,
    ),
    QueueTab.MINE: ACT,
    QueueTab.DESKS: ACT,
    QueueTab.SENIORS: ACT,
    QueueTab.APPEALS: ACT,
    QueueTab.HELD: (
        (ActionKind.RELEASE, _("Publish selected")),
        (ActionKind.REFUSE, _("Reject selected")),
    ),
    QueueTab.SIGN_UPS: (
        (ActionKind.APPROVE, _("Approve selected")),
        (ActionKind.DECLINE, _("Decline selected")),
    ),
}


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """A tab of the queue, with a severity (0: all), the reason that reports name (empty: any), and the order: by
    severity, or with `PRESSING` the most pressing first."""

    tab: QueueTab
    severity: int = 0
    language: str = ""  # one of the site, or `MY_LANGUAGES`
    reason: str = ""
    order: str = ""

    @classmethod
    def from_query(cls, query: Mapping[str, str], *, otherwise: str = QueueTab.REPORTS) -> Self:
        """Returns the place that an address names. Raises `BadRequest`."""
        try:
            severity, language = int(query.get("severity") or 0), query.get("language", "")
            tab = QueueTab(query.get("queue") or otherwise)
            place = cls(tab, severity, language, query.get("reason", ""), query.get("order", ""))
        except ValueError as error:
            raise BadRequest("no such queue") from error
        if place.severity not in (0, *URGENCIES):
            raise BadRequest("no such severity")
        if place.language not in ("", MY_LANGUAGES, *LANGUAGES):
            raise BadRequest("no such languages")
        if len(place.reason) > MOST_OF_A_REASON:
            raise BadRequest("no such reason")
        if place.order not in ("", PRESSING):
            raise BadRequest("no such order")
        return place

    @property
    def asked(self) -> dict[str, str]:
        severity = {"severity": str(self.severity)} if self.severity else {}
        language = {"language": self.language} if self.language else {}
        more = {"reason": self.reason, "order": self.order}
        more = {name: value for name, value in more.items() if value}
        return {"queue": str(self.tab), **severity, **language, **more}

    @property
    def query(self) -> str:
        return urlencode(self.asked)

    @property
    def url(self) -> str:
        return f"/moderation/queue?{self.query}"

    @property
    def title(self) -> str:
        return str(TITLES[self.tab])

    @property
    def nothing(self) -> str:
        """Returns the sentence for an empty list."""
        return str(EMPTY[self.tab])

    @property
    def has_severities(self) -> bool:
        """Whether the tab's cases differ in severity. Held posts and sign-ups always have the lowest."""
        return self.tab in (QueueTab.REPORTS, QueueTab.MINE, QueueTab.DESKS, QueueTab.SENIORS)

    @property
    def has_languages(self) -> bool:
        """Whether the tab can be read in the languages of the viewer."""
        return self.has_severities or self.tab == QueueTab.APPEALS

    @property
    def has_order(self) -> bool:
        """Whether the tab is one partition, whose most pressing cases can come first."""
        return self.tab in (QueueTab.REPORTS, QueueTab.MINE, QueueTab.SENIORS, QueueTab.APPEALS)

    @property
    def is_filtered(self) -> bool:
        return bool(self.severity or self.language or self.reason or self.order)

    @property
    def bulk_actions(self) -> list[tuple[str, str]]:
        """Returns the actions with which a wave about some of its cases begins, empty for the one that is offered
        first, and their buttons."""
        return [(str(kind), str(label)) for kind, label in BULK.get(self.tab, ())]

    @property
    def is_closed(self) -> bool:
        return self.tab == QueueTab.CLOSED

    @property
    def leads_on(self) -> bool:
        """Whether its next case opens after a decision: those on other people's desks are theirs to do."""
        return self.tab not in (QueueTab.CLOSED, QueueTab.DESKS)

    def partition(self, viewer: Viewer) -> str:
        """Returns the partition of `escalatedIndex`. Closed cases are in none, and those on desks in many."""
        return keys.desk(viewer.user_id) if self.tab == QueueTab.MINE else keys.queue(self.tab)

    def links(self, tabs: list[QueueTab]) -> list[tuple[str, str, bool]]:
        """Returns tabs as links: address, title, and whether it is this one."""
        return [
            (replace(self, tab=tab, severity=0, reason="").url, str(TITLES[tab]), tab == self.tab)
            for tab in tabs
        ]

    def languages_of(self, viewer: Viewer) -> tuple[str, ...]:
        """Returns the languages in which the cases are shown, none for all. Costs as `languages_read_by` if asked."""
        if not self.has_languages:
            return ()
        if self.language == MY_LANGUAGES:
            return languages_read_by(viewer.user_id)
        return (self.language,) if self.language else ()

    def language_links(self) -> list[tuple[str, str, bool]]:
        words = {"": _("All languages"), MY_LANGUAGES: _("My languages")}
        return [
            (replace(self, language=language).url, str(word), language == self.language)
            for language, word in words.items()
        ]

    def severity_links(self) -> list[tuple[str, str, int, bool]]:
        words = {0: _("All"), **URGENCIES}
        return [
            (replace(self, severity=severity).url, str(word), severity, severity == self.severity)
            for severity, word in words.items()
        ]


def needed(tab: QueueTab) -> Permissions:
    """Returns the permissions for the cases the tab can hold. Any one of them opens it."""
    return frozenset(map(permission_for, HOLDS[tab]))


def tabs_open_to(permissions: Permissions, *, junior: bool = False) -> list[QueueTab]:
    """Returns the tabs that these permissions open. What seniors were asked is not for juniors."""
    hidden = {QueueTab.SENIORS} if junior else set()
    return [tab for tab in QueueTab if permissions & needed(tab) and tab not in hidden]


def first_tab(permissions: Permissions) -> QueueTab:
    """Returns the tab that opens when none is named: reports, for people who may open none."""
    own = {QueueTab.MINE, QueueTab.DESKS, QueueTab.SENIORS}
    shared = (tab for tab in tabs_open_to(permissions) if tab not in own)
    return next(shared, QueueTab.REPORTS)


def cases_of(
    place: QueuePlace,
    viewer: Viewer,
    permissions: Permissions,
    *,
    month: str = "",
    cursor: str | None = None,
) -> Page[CaseRow]:
    """Returns a page of the place's cases: `list_cases`, `list_pressing`, `list_desks`, or `list_closed` of a month.

    Leaves out cases about the viewer, and cases of kinds for which they lack the permission, so that a page may be
    shorter than others.
    """
    if place.is_closed:
        page = list_closed(month or f"{now():%Y-%m}", cursor=cursor)
    elif place.tab == QueueTab.DESKS:
        languages = place.languages_of(viewer)
        fits = fitting(languages, place.reason)
        page = list_desks(severity=place.severity, fits=fits, cursor=cursor)
    else:
        partition = place.partition(viewer)
        fits = fitting(place.languages_of(viewer), place.reason)
        if place.order and place.has_order:
            pressing = list_pressing(
                partition, severity=place.severity, fits=fits or anything, cursor=cursor
            )
            page = Page(rows_of(pressing.items), pressing.next_cursor)
        elif fits:
            page = list_cases_in(partition, fits=fits, severity=place.severity, cursor=cursor)
        else:
            page = list_cases(partition, severity=place.severity, cursor=cursor)
    kinds = kinds_open_to(permissions)
    shown = [
        row
        for row in page.items
        if row.case_id.kind in kinds and not (row.person and row.person.user_id == viewer.user_id)
    ]
    return page.with_items(shown)


SALT = "done"


@dataclass(frozen=True, slots=True)
class Done:
    case_id: CaseId
    action_id: str
    kind: str
    handle: str

    @property
    def word(self) -> str:
        return done_word(self.kind)

    @property
    def undo_url(self) -> str:
        return f"{self.case_id.url}/undo"


def write_done(done: Done) -> str:
    case_id = done.case_id
    parts = [case_id.kind, case_id.subject_id, done.action_id, done.kind, done.handle]
    return signing.dumps(parts, salt=SALT)


def read_done(text: str) -> Done | None:
    """Returns the action, None for anything that `write_done` did not make."""
    if not text:
        return None
    try:
        kind, subject_id, action_id, action, handle = _loaded(text)
    except (signing.BadSignature, ValueError):
        return None
    return Done(CaseId(CaseKind(kind), subject_id), action_id, action, handle)


def _loaded(text: str) -> Any:
    return signing.loads(text, salt=SALT)

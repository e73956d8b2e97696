"""A case by its id: reading it, who may open it, its languages, and how it stands in its queue. Every list shows only
cases that the viewer may open.

Moderators choose by its languages what they read first. A report is in the language in which its reporter reads the
site, and in the one that its post says it is in, if the site has that; an appeal adds that of the person. Most posts
name none, so the reporter's language is often all that is known.

An open dialog asks every few seconds whether its case is still as it was. All that a case holds is read by `lists.py`,
once that has changed.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import BadRequest
from django.urls import register_converter
from django.utils.translation import gettext
from pynamodb.expressions.condition import Condition

from accounts.models import UserInfo
from accounts.people.viewer import Viewer
from accounts.permissions import Permission, Permissions, outranks
from moderation.models import Case, CaseKind, Queue
from socialsite.clock import utc_now_iso
from socialsite.models import Staff
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import (
    Conflict,
    Key,
    NotFound,
    TableError,
    access_pattern,
    as_model,
    fetch,
    ids,
    keys,
    reading,
    row,
)

THE_SITE = "site"  # the reporter of posts that met a word filter

CLAIM_MINUTES = 15


class OwnCase(TableError):
    """Nobody can decide about themselves."""


FIRST_QUEUES = {
    CaseKind.PERSON: Queue.REPORTS,
    CaseKind.POST: Queue.HELD,
    CaseKind.SIGN_UP: Queue.SIGN_UPS,
}
CROWDS = (100, 25, 10, 5, 2)  # so many reporters go before fewer within a severity


class CaseMoved(Conflict):
    """The case has changed since it was read, or someone else is reviewing it."""


@dataclass(frozen=True, slots=True)
class CaseId:
    """The id of a case: its kind, and what it is about."""

    kind: CaseKind
    subject_id: str

    @property
    def key(self) -> Key:
        return keys.case(self.kind, self.subject_id)

    @property
    def url(self) -> str:
        return f"/moderation/cases/{self.kind}/{self.subject_id}"

    def __str__(self) -> str:
        return f"{self.kind}-{self.subject_id}"


def read_case(case_id: CaseId) -> Case:
    """Returns the case. One consistent GetItem, 1 read unit. Raises `NotFound`."""
    return reading.get(Case, case_id.key, consistent=True)


def id_of(case: Case) -> CaseId:
    return CaseId(CaseKind(case.kind), case.subject_id)


def is_open(case: Case) -> bool:
    return case.escalated_to is not None


def is_kept_only(case: Case) -> bool:
    """Whether the person was erased. What is left of the case has an end, and nothing can be done to them."""
    return case.ttl is not None


def crowd_of(reports: int) -> int:
    """Returns where so many reporters stand within a severity, 0 to 5, the lowest for the most. They never make a case
    graver than the rules that they name."""
    return next((step for step, many in enumerate(CROWDS) if reports >= many), len(CROWDS))


# Followers or likes; from so many on, what is reported stands as high as with so many reports (`CROWDS`).
REACHES = (100_000, 10_000, 3_000, 1_000, 300)


def reach_of(followers: float, likes: float) -> int | None:
    """Returns where a case stands within a severity for all who could see what is reported, 0 to 4, None for few."""
    most = max(followers, likes)
    return next((step for step, many in enumerate(REACHES) if most >= many), None)


def widest(*reaches: float | None) -> int | None:
    return min((int(one) for one in reaches if one is not None), default=None)


def stand_of(reports: int, reach: float | None) -> int:
    """Returns where a case stands within a severity, for its reporters or its reach, whichever is more."""
    crowd = crowd_of(reports)
    return crowd if reach is None else min(crowd, int(reach))


def partition_of(case: Case, queue: str) -> str:
    """Returns the index partition of an open case: the moderator's it is assigned to, otherwise where it waits, for a
    quiet one the one that no page lists."""
    if case.assigned_to:
        return keys.desk(case.assigned_to)
    return keys.quiet_queue() if case.quiet and not case.raised else waiting_in(case, queue)


def waiting_in(case: Case, queue: str) -> str:
    """Returns the index partition of an open case on nobody's desk: its queue's, or that of the seniors."""
    return keys.queue(Queue.SENIORS if case.raised else queue)


def waits_in(case: Case) -> str:
    """Returns the queue in which a case waits while it is on nobody's desk."""
    return Queue.SENIORS if case.raised else case.queue


def is_free_for(moderator_id: str) -> Condition:
    """Whether this moderator can review the case: nobody else does, or their review has lapsed."""
    return (
        Case.claimed_by.does_not_exist()
        | (Case.claimed_by == moderator_id)
        | (Case.claimed_until < utc_now_iso())
    )


def is_looked_at_by_another(case: Case, moderator_id: str) -> bool:
    until = case.claimed_until or ""
    return case.claimed_by not in (None, moderator_id) and until >= utc_now_iso()


class Outranked(TableError):
    """The person has a role that is not below the moderator's own."""

    status, template = 403, "moderation/cases/outranked.html"

    def __init__(self) -> None:
        super().__init__("not below")
        self.told = gettext("This person is on the staff, and your role is not above theirs.")


def permission_for(kind: CaseKind) -> Permission:
    return Permission.SIGN_UPS if kind == CaseKind.SIGN_UP else Permission.CASES


def must_outrank(by: Viewer, role: str) -> None:
    """Every service asks this before it does something about a person that they may read, or that stays with them.
    `role` is theirs, empty for most. Raises `Outranked`: colleagues and superiors are left to those above them."""
    if role and not outranks(by, role):
        raise Outranked


def read_case_and_role(case_id: CaseId) -> tuple[Case, str]:
    """Returns the case, and the role of the person whom it is about, empty for none. One consistent BatchGetItem, 2
    read units; for a post, whose author the case names, a GetItem and a BatchGetItem. Raises `NotFound`."""
    if case_id.kind == CaseKind.POST:
        case = read_case(case_id)
        person = keys.user_info(case.person_id)
        found = fetch([person], consistent=True)
    else:
        person = keys.user_info(case_id.subject_id)
        found = fetch([case_id.key, person], consistent=True)
        if case_id.key not in found:
            raise NotFound("no such case")
        case = as_model(Case, found[case_id.key])
    return case, str(row(UserInfo, found.get(person, {})).role)


def kinds_open_to(permissions: Permissions) -> frozenset[CaseKind]:
    return frozenset(kind for kind in CaseKind if permission_for(kind) in permissions)


class CaseKindConverter:
    regex = "|".join(CaseKind)

    def to_python(self, value: str) -> CaseKind:
        return CaseKind(value)

    def to_url(self, value: str) -> str:
        return value


register_converter(CaseKindConverter, "case_kind")

SEEN_CASE = re.compile(rf"({CaseKindConverter.regex})\.({ids.PATTERN})\.(\d{{1,9}})")


@dataclass(frozen=True, slots=True)
class SeenCase:
    """A case as a moderator saw it, or a person whose case they did not see (`version` 0)."""

    case_id: CaseId
    version: int


def seen_case(value: str) -> SeenCase:
    """Reads `<kind>.<subject>.<version>`. Raises `BadRequest`."""
    if not (found := SEEN_CASE.fullmatch(value)):
        raise BadRequest("no such case")
    kind, subject_id, version = found.groups()
    return SeenCase(CaseId(CaseKindConverter().to_python(kind), subject_id), int(version))


@access_pattern
def get_dialog_state(case_id: CaseId, *, by: Viewer) -> str:
    """Returns the case's version, and whether someone else reviews it, in one word that dialogs keep. Raises
    `NotFound`. One consistent GetItem, 1 read unit, every 5 seconds while a dialog is open."""
    case = read_case(case_id)
    return state_of(int(case.version), is_taken=is_looked_at_by_another(case, by.user_id))


def state_of(version: int, *, is_taken: bool) -> str:
    return f"{version}-taken" if is_taken else str(version)


SITE = {code.casefold(): code for code, _ in settings.LANGUAGES}


def languages_of_report(reporters: str, of_post: str) -> set[str]:
    """Returns the languages of the site that a moderator needs for it, none if nothing is known."""
    wanted = (SITE.get(one.casefold(), "") for one in (reporters, of_post))
    return set(wanted) - {""}


def is_for(case: Case, languages: Collection[str]) -> bool:
    """Whether the case is for people who read these languages (none: all). Urgent cases are for everyone, and so are
    those of which no language is known."""
    known = case.languages or ()
    place = case.escalated_at or ""
    return (
        not languages
        or not known
        or not set(languages).isdisjoint(known)
        or place.startswith(f"{URGENT}#")
    )


@access_pattern
def languages_read_by(user_id: str) -> tuple[str, ...]:
    """Returns the languages that they chose, none if they chose none. One BatchGetItem, 0.5 read units."""
    key = keys.staff_member(user_id)
    return tuple(row(Staff, fetch([key]).get(key, {})).languages)


@access_pattern
def last_presets_of(user_id: str) -> dict[str, str]:
    """Returns the template that a member of staff chose last for each action. One BatchGetItem, 0.5 read units."""
    key = keys.staff_member(user_id)
    raw = fetch([key]).get(key)
    return dict(as_model(Staff, raw).last_presets or {}) if raw else {}

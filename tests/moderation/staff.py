"""What tests of moderation arrange of staff: who may do what, site settings, who joins, what waits, hints."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

from accounts.models import UserInfo, UserSettings
from accounts.people.reads import find_user_by_handle
from accounts.people.viewer import Viewer
from accounts.permissions import BUILT_IN, Permission
from feed.posts.models import Post
from moderation.cases.reads import CaseId, read_case
from moderation.cases.writes import appeal
from moderation.models import ActionKind, AuditEntry, CaseKind
from moderation.rules.filter_writes import add_word_rule
from moderation.rules.writes import save_settings
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import do_due
from socialsite.site_settings.site_rules import read_site_rules
from socialsite.site_settings.word_filters import Word, WordKind
from socialsite.table import NotFound, RawItem, as_model, get, keys, query, reading
from tests.conftest import PASSWORD, person, post
from tests.looks import due_items
from tests.moderation.cases import about, about_post, decide, held_post, report, waiting_sign_up
from tests.notifications.told import told
from tests.streams.crowd import crowd, returning
from tests.web.html import Html

P = Permission
ROLES: dict[str, set[Permission]] = {
    "cases": {P.CASES},
    "sign-ups": {P.SIGN_UPS},
    "cases-suspend": {P.CASES, P.SUSPEND},
    "neither": set(P) - {P.CASES, P.SIGN_UPS},
    "moderator": set(BUILT_IN["moderator"]),
}
NEEDED = {CaseKind.PERSON: P.CASES, CaseKind.POST: P.CASES, CaseKind.SIGN_UP: P.SIGN_UPS}
HELD_BY = {
    "reports": {CaseKind.PERSON},
    "mine": set(CaseKind),
    "desks": set(CaseKind),
    "appeals": {CaseKind.PERSON, CaseKind.POST},
    "held": {CaseKind.POST},
    "sign-ups": {CaseKind.SIGN_UP},
    "closed": set(CaseKind),
}


def new_case(kind: CaseKind) -> CaseId:
    about_whom, other = crowd(2)
    if kind == CaseKind.PERSON:
        report(other, about_whom, rule_id="spam")
        return about(about_whom)
    return (
        waiting_sign_up(about_whom)
        if kind == CaseKind.SIGN_UP
        else about_post(held_post(about_whom))
    )


def permitted(role: str, kinds: set[CaseKind] | frozenset[CaseKind]) -> set[CaseKind]:
    return {kind for kind in kinds if NEEDED[kind] in ROLES[role]}


def kinds_on(page) -> set[CaseKind]:
    rows = [row["id"].removeprefix("case-") for row in Html(page).all("article", class_="case-row")]
    return {kind for kind in CaseKind for row in rows if row.startswith(f"{kind}-")}


def everything_of(case_id: CaseId) -> list[RawItem]:
    return list(query(case_id.key.pk, consistent=True))


def appealed_by(case_id: CaseId, admin: Viewer) -> None:
    kind = {CaseKind.PERSON: ActionKind.WARN, CaseKind.POST: ActionKind.REFUSE}[case_id.kind]
    action_id = decide(admin, case_id, kind)
    appeal(person_id=str(read_case(case_id).person_id), action_id=action_id, text="Why?")


# What tests of the site's rules share: setting it up as staff do, and looking at what was entered in the log.


def set_up(admin: Viewer, **values: Any) -> None:
    save_settings(by=admin, values=values)


def word_rule(
    admin: Viewer,
    pattern: str,
    effect: str,
    *,
    kind: str = WordKind.WORD,
    site_rule: str = "spam",
) -> str:
    """Adds a word rule and returns its id."""
    add_word_rule(by=admin, word=Word("", kind, pattern, effect, site_rule))
    return next(word.rule_id for word in read_site_rules().words if word.pattern == pattern)


def logged() -> list[tuple[str, str, dict[str, Any]]]:
    """Who did what with which detail, oldest first, as the audit log of this month has it."""
    month = datetime.now(UTC).strftime("%Y-%m")
    entries = [
        as_model(AuditEntry, raw) for raw in query(keys.audit_entries(month), consistent=True)
    ]
    return [(entry.moderator_id, entry.action, entry.detail or {}) for entry in entries]


# What tests of signing up share: Dora, who would like to join.

DORA = {"handle": "dora", "name": "Dora", "email": "dora@example.org", "password": PASSWORD}


def join(browser: Client | None = None, *, handle: str = "dora", **changes: str):
    person = DORA | {"handle": handle, "email": f"{handle}@example.org"}
    return (browser or Client()).post("/signup", person | changes)


def is_here(handle: str = "dora") -> bool:
    try:
        return bool(find_user_by_handle(handle))
    except NotFound:
        return False


def waits(handle: str = "dora") -> bool:
    info = get(UserInfo, keys.user_info(find_user_by_handle(handle)), consistent=True)
    return bool(info.waiting)


def asked(handle: str = "dora") -> str | None:
    key = keys.user_settings(find_user_by_handle(handle))
    return get(UserSettings, key, consistent=True).asked


# What the clock does about cases that wait: played until nothing is due by a moment, and what is planned after
# it.


def after(**later: float) -> datetime:
    return utc_now() + timedelta(**later)


def let_pass(moment: datetime) -> None:
    """The clock does everything until a moment, also what it plans meanwhile."""
    while do_due(moment):
        pass


def planned(kind: str) -> list[Due]:
    return due_items(kind)


def hears(person: Viewer) -> list[str]:
    return told(returning(person))


# What tests of hints share: new accounts that post alike.

SPAM = "Buy cheap watches here, today only"


def newcomers(count: int) -> list[Viewer]:
    return [person(f"new{number:02}") for number in range(count)]


def all_post(authors: list[Viewer], text: str = SPAM) -> list[str]:
    """Each posts the text; returns the ids of the posts."""
    return [post(author, text) for author in authors]


def item_of(author: Viewer, post_id: str) -> Post:
    return reading.get(Post, keys.post(author.user_id, post_id), consistent=True)

"""Roles by what they permit, queues by what they hold, and a case of each kind."""

from accounts.people.viewer import Viewer
from accounts.permissions import BUILT_IN, Permission
from moderation.cases.reads import CaseId, read_case
from moderation.cases.writes import appeal
from moderation.models import ActionKind, CaseKind
from socialsite.table import RawItem, query
from tests.moderation.cases import (
    about,
    about_post,
    decide,
    held_post,
    report,
    waiting_sign_up,
)
from tests.streams.crowd import crowd
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

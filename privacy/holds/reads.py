"""Legal holds as staff see them, and finding what is to be held."""

from collections.abc import Iterator
from dataclasses import dataclass

from accounts.models import UserInfo
from accounts.people.cards import PersonCard, moment_text
from accounts.people.reads import find_user_by_handle
from moderation.cases.cards import person_of
from moderation.cases.reads import CaseId, read_case
from moderation.log.writes import OPERATOR
from moderation.models import CaseKind
from privacy.erasure.phases import NAMES, Progress
from privacy.holds.writes import ACCOUNT, Target
from privacy.models import Erasure, Hold
from socialsite.streams import Job, JobKind
from socialsite.table import (
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    fetch,
    keys,
    query,
    reading,
    row,
)

CASES = "/moderation/cases/"  # how the address of a case begins


@dataclass(frozen=True, slots=True)
class HoldCard:
    """One hold. `is_for_others` says that the viewer asked, so that another person has to confirm. `begun` says how far
    an erasure is that had begun before."""

    kind: str
    subject_id: str
    hold: Hold
    person: PersonCard | None
    case_url: str
    until: str
    renewal: str
    asked_by: PersonCard | None
    confirmed_by: PersonCard | None
    renewal_by: PersonCard | None
    is_for_others: bool
    begun: tuple[int, int] | None

    @property
    def is_in_force(self) -> bool:
        return bool(self.hold.confirmed_by)

    @property
    def waits_for_second(self) -> bool:
        return not self.is_in_force or bool(self.hold.renewal)


@access_pattern
def list_holds(viewer_id: str) -> list[HoldCard]:
    """Returns all holds but those on the viewer's own account, who takes no part in them. There are few.

    One consistent Query of `holds`, 1 read unit for each 4 KB, and one BatchGetItem of people and erasures, 0.5 each.
    """
    raws = query(keys.holds(), consistent=True)
    holds = [as_model(Hold, raw) for raw in raws]
    holds = [hold for hold in holds if hold.person_id != viewer_id]
    found = fetch(set(_keys_beside(holds))) if holds else {}
    return [_card(hold, viewer_id, found) for hold in holds]


def _keys_beside(holds: list[Hold]) -> Iterator[keys.Key]:
    for hold in holds:
        people = (hold.person_id, hold.asked_by, hold.confirmed_by, hold.renewal_by)
        yield from (keys.user_info(one) for one in people if one and one != OPERATOR)
        yield keys.erasure(hold.person_id)


def _card(hold: Hold, viewer_id: str, found: dict[keys.Key, RawItem]) -> HoldCard:
    asked_by = hold.renewal_by if hold.confirmed_by else hold.asked_by
    is_case = hold.kind != ACCOUNT
    return HoldCard(
        kind=hold.kind,
        subject_id=hold.subject_id,
        hold=hold,
        person=person_of(hold.person_id, found),
        case_url=CaseId(CaseKind(hold.kind), hold.subject_id).url if is_case else "",
        until=moment_text(hold.until),
        renewal=moment_text(hold.renewal or ""),
        asked_by=person_of(hold.asked_by, found),
        confirmed_by=person_of(hold.confirmed_by or "", found),
        renewal_by=person_of(hold.renewal_by or "", found),
        is_for_others=asked_by == viewer_id,
        begun=_progress(found.get(keys.erasure(hold.person_id))) if not is_case else None,
    )


def _progress(erasure: RawItem | None) -> tuple[int, int] | None:
    """Returns how many phases of an erasure that has begun are done, and of how many. One consistent BatchGetItem, 1
    read unit."""
    if erasure is None:
        return None
    receipt_id = row(Erasure, erasure).receipt_id
    key = keys.job(JobKind.ERASE, receipt_id)
    job = fetch([key], consistent=True).get(key)
    done = Progress.from_cursor(row(Job, job).cursor).phase if job else 0
    return done, len(NAMES)


@access_pattern
def find_target(text: str) -> Target:
    """Returns what a handle, an address of a case or its name in the log (`person-…`) means, or an account's id, alone
    or in the address of its page for staff: while an account is being erased, its handle leads nowhere. Raises
    `NotFound`.

    One consistent GetItem of a case or an account, 1 read unit; of a handle as `find_user_by_handle`.
    """
    name = text.strip()
    if CASES in name:
        kind, _, subject_id = name.partition(CASES)[2].partition("/")
        return _case(kind, subject_id.split("?")[0].split("/")[0])
    for one in CaseKind:
        if name.startswith(f"{one}-") and len(name) == len(one) + 27:
            return _case(one, name.removeprefix(f"{one}-"))
    last = name.rstrip("/").rpartition("/")[2]
    if len(last) == 26 and last.isalnum():
        reading.get(UserInfo, keys.user_info(last), consistent=True)
        return Target(ACCOUNT, last, last)
    user_id = find_user_by_handle(name.removeprefix("@").lower())
    return Target(ACCOUNT, user_id, user_id)


def _case(kind: str, subject_id: str) -> Target:
    if kind not in list(CaseKind) or len(subject_id) != 26:
        raise NotFound("no such case")
    case = read_case(CaseId(CaseKind(kind), subject_id))
    return Target(kind, subject_id, case.person_id)

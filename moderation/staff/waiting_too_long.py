"""Which open cases have waited too long for a moderator, and telling members of staff of cases that wait: whom, and
each of them once.

The clock does it, as the stream worker may not read who is on the staff. What is told becomes due work of its own for
each of them, which ends in the transaction that changes their notifications.
"""

import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from accounts.models import UserSettings
from accounts.permissions import JUNIOR, Permission, list_staff, permissions_of_role
from moderation.cases.reads import CaseId, id_of, is_for, permission_for
from moderation.models import Case, CaseKind, Queue
from moderation.notices import CASES_WAIT
from socialsite.clock import utc_now
from socialsite.due.models import Due
from socialsite.due.work import done, plan
from socialsite.models import Staff
from socialsite.site_settings.site_setup import URGENT
from socialsite.streams.ledger import PlanMoved
from socialsite.table import (
    Create,
    RawItem,
    access_pattern,
    as_model,
    escalated_index_name,
    fetch,
    keys,
    query,
    query_index,
    row,
    transact,
    write_batch,
    write_optimistically,
)
from socialsite.telling import Cause, Kind, kind_of, tell

FOR_URGENT, FOR_OTHERS = timedelta(hours=1), timedelta(days=1)
WAITS = "case-waits"  # the kind of due work
MOST_DESKS = 50
LOOKED_AT = 100  # cases of a queue or a desk


@dataclass(frozen=True, slots=True)
class LateCase:
    """An open case that has waited too long. `person_id` is the person whom it is about."""

    person_id: str
    permission: Permission
    is_urgent: bool


def late_at(case: Case) -> datetime | None:
    """Returns the moment from which on the case has waited too long, None for one that is closed or that no list
    shows."""
    if not case.escalated_to or case.escalated_to == keys.quiet_queue():
        return None
    waits = FOR_URGENT if int(case.severity) == URGENT else FOR_OTHERS
    return datetime.fromisoformat(case.opened_at) + waits


def planned_look(case: Case, moment: datetime) -> Create:
    """Returns the action that plans a look at an open case for the moment when it will have waited too long."""
    return plan(
        WAITS,
        moment=moment,
        subject=str(id_of(case)),
        case_kind=case.kind,
        case_of=case.subject_id,
    )


@access_pattern
def plan_look_again(raw: RawItem) -> None:
    """Plans the look at a case whose record the stream lost, or that is older than such looks, unless its moment has
    passed. Safe to repeat. One BatchWriteItem, 1 write unit for an open case."""
    case = as_model(Case, raw)
    moment = late_at(case)
    if moment and moment > utc_now():
        write_batch(puts=[planned_look(case, moment).item])


@access_pattern
def list_late(moment: datetime) -> list[LateCase]:
    """Returns the open cases that have waited too long at a moment, of the 100 oldest of each severity and crowd in a
    queue, and of the 100 first of a desk.

    A Query of the staff, and of `escalatedIndex` 21 for each queue and one for each of at most 50 desks: 0.5 read units
    per 4 KB each.
    """
    return [
        LateCase(case.person_id, permission_for(CaseKind(case.kind)), int(case.severity) == URGENT)
        for partition, between in _stretches()
        for case in (
            row(Case, raw)
            for raw in query_index(
                escalated_index_name, partition, between=between, forward=True, limit=LOOKED_AT
            )
        )
        if (late := late_at(case)) and late <= moment
    ]


def _stretches() -> Iterator[tuple[str, tuple[str, str]]]:
    for queue in Queue:
        for stretch in keys.queue_stretches():  # the oldest come first in each
            yield keys.queue(queue), stretch
    for raw in islice(query(keys.staff()), MOST_DESKS):
        yield keys.desk(row(Staff, raw).user_id), keys.queue_bounds()


TELL = "tell-staff"
MOST_TOLD = 50


@access_pattern
def staff_for(
    case: Case,
    *,
    told_of: Kind = CASES_WAIT,
    besides: Collection[str] = (),
    also: Collection[Permission] = (),
) -> list[str]:
    """Returns the members of staff who may decide a case and want to be told of it, at most 50, but none of `besides`
    and not the person whom it is about: those who read its languages, and everyone if nobody does. `also` names
    further permissions they need. Of one of the staff, those above that role hear, if there is anyone. Juniors hear
    of nothing that a senior was asked about.

    As `list_staff`, `permissions_of_role` once for each role, and one BatchGetItem of 1 read unit a person.
    """
    needed = {permission_for(CaseKind(case.kind)), *also}
    staff = list_staff()
    theirs = next((one.role for one in staff if one.user_id == case.person_id), "")
    above = permissions_of_role(theirs)
    permissions = {role: permissions_of_role(role) for role in {one.role for one in staff}}
    may = {role for role, those in permissions.items() if needed <= those}
    may = {role for role in may if above < permissions[role]} or may
    may -= {JUNIOR} if case.raised else set()
    left_out = {case.person_id, *besides}
    able = [one.user_id for one in staff if one.role in may and one.user_id not in left_out]
    found = fetch(key for one in able for key in (keys.staff_member(one), keys.user_settings(one)))
    settings = {one: row(UserSettings, found.get(keys.user_settings(one), {})) for one in able}
    able = [one for one in able if told_of.is_wanted(settings[one].opted_out)]
    reads = {user_id: row(Staff, found.get(keys.staff_member(user_id), {})) for user_id in able}
    fitting = [user_id for user_id in able if is_for(case, reads[user_id].languages)]
    return (fitting or able)[:MOST_TOLD]


def telling(user_id: str, kind: Kind, case: Case, *, about: str, tab: str = "") -> Create:
    """Returns the action that plans to tell someone at once. `about` is what counts as one on their line, a case or an
    appeal, and `tab` the one in which they find it. 2 write units."""
    stands_for = hashlib.sha256(about.encode()).hexdigest()[:10]
    return plan(
        TELL,
        moment=utc_now(),
        subject=f"{user_id}.{stands_for}",
        user=user_id,
        told=kind.code,
        about=stands_for,
        tab=tab,
        case_kind=case.kind,
        case_of=case.subject_id,
    )


@access_pattern
def tell_staff(due: Due) -> None:
    """Changes the notifications of one member of staff, once: the transaction ends the due item. What is told names
    nobody. Reads and writes what `Notifications.actions` says, and 2 write units. In all 6 write units and 3 read
    units."""
    facts = due.facts
    case_id = CaseId(CaseKind(facts["case_kind"]), facts["case_of"])
    cause = Cause(facts["about"], case_id.key, about=facts["tab"])
    told = tell(facts["user"], kind_of(facts["told"]), cause)
    write_optimistically(lambda: transact(*told.actions(), done(due)), moved=PlanMoved)


def name_of(case: Case) -> str:
    """Returns what tells a round of a case from every other, for `about`."""
    return f"{id_of(case)} {int(case.round)}"

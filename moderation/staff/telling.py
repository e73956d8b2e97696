"""Telling members of staff of cases that wait for them: whom, and each of them once.

The clock does it, as the stream worker may not read who is on the staff. What is told becomes due work of its own for
each of them, which ends in the transaction that changes their notifications.
"""

import hashlib
from collections.abc import Collection

from accounts.models import UserSettings
from accounts.permissions import Permission, list_staff, permissions_of_role
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import CaseId, id_of
from moderation.cases.lists.languages import is_for
from moderation.models import Case, CaseKind
from notifications.choices import OptOut
from notifications.kinds import Kind
from notifications.plan import Notifications
from socialsite.clock import utc_now
from socialsite.due.planning import done, plan
from socialsite.models import Due, Staff
from socialsite.streams.ledger import PlanMoved
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.as_read import write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row
from socialsite.table.writing import transact

TELL = "tell-staff"
MOST_TOLD = 50


@access_pattern
def staff_for(
    case: Case, *, besides: Collection[str] = (), also: Collection[Permission] = ()
) -> list[str]:
    """Returns the members of staff who may decide a case and want to be told, at most 50, but none of `besides` and not
    the person whom it is about: those who read its languages, and everyone if nobody does. `also` names further
    permissions they need. Of one of the staff, those above that role hear, if there is anyone.

    As `list_staff`, `permissions_of_role` once for each role, and one BatchGetItem of 1 read unit a person.
    """
    needed = {permission_for(CaseKind(case.kind)), *also}
    staff = list_staff()
    theirs = next((one.role for one in staff if one.user_id == case.person_id), "")
    above = permissions_of_role(theirs)
    permissions = {role: permissions_of_role(role) for role in {one.role for one in staff}}
    may = {role for role, those in permissions.items() if needed <= those}
    may = {role for role in may if above < permissions[role]} or may
    left_out = {case.person_id, *besides}
    able = [one.user_id for one in staff if one.role in may and one.user_id not in left_out]
    found = fetch(key for one in able for key in (keys.staff_member(one), keys.user_settings(one)))
    settings = {one: row(UserSettings, found.get(keys.user_settings(one), {})) for one in able}
    able = [one for one in able if OptOut.CASES not in settings[one].opted_out]
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
        told=kind,
        about=stands_for,
        tab=tab,
        case_kind=case.kind,
        case_of=case.subject_id,
    )


@access_pattern
def tell(due: Due) -> None:
    """Changes the notifications of one member of staff, once: the transaction ends the due item. What is told names
    nobody. Reads and writes what `Notifications.actions` says, and 2 write units."""
    facts = due.facts
    notifications = Notifications()
    notifications.add(
        facts["user"],
        Kind(facts["told"]),
        actor=facts["about"],
        cause=CaseId(CaseKind(facts["case_kind"]), facts["case_of"]).key,
        subject_id=facts["tab"],
    )
    write_as_read(lambda: transact(*notifications.actions(), done(due)), moved=PlanMoved)


def name_of(case: Case) -> str:
    """Returns what tells a round of a case from every other, for `about`."""
    return f"{id_of(case)} {int(case.round)}"

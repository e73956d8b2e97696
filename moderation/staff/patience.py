"""Which open cases have waited too long for a moderator."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from accounts.permissions import Permission
from moderation.cases.case_permissions import permission_for
from moderation.cases.cases import id_of
from moderation.models import Case, CaseKind, Queue
from socialsite.clock import utc_now
from socialsite.due.planning import plan
from socialsite.models import Staff
from socialsite.site.default_rules import URGENT
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.item import escalated_index_name
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model, query, query_index
from socialsite.table.row import row
from socialsite.table.writing import write_batch

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
    """Returns the moment from which on the case has waited too long, None for a closed one."""
    if not case.escalated_to:
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
    passed. Safe to repeat. 1 write unit for an open case."""
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

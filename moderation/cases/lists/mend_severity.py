"""Lifting cases that many minor reports kept below a grave one: from before the gravest report decided."""

from contextlib import suppress

from moderation.cases.cases import (
    CaseMoved,
    change_case,
    id_of,
    is_open,
    partition_of,
    put_in_queue,
    read_case,
)
from moderation.cases.lists.severity import named_so_far, severity_named
from moderation.models import Case
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, as_model
from socialsite.table.writing import transact


@access_pattern
def mend_severity(raw: RawItem) -> None:
    """Makes an open case as grave as its gravest report, unless a moderator said how grave it is. Safe to repeat. Costs
    nothing for a case that is, otherwise one consistent GetItem and one TransactWriteItems, 3 write units."""

    def attempt() -> None:
        case = read_case(id_of(stored))
        if lifted := _lifted(case):
            place = partition_of(case, case.queue), lifted, int(case.reports), case.opened_at
            transact(change_case(case, [Case.severity.set(lifted), *put_in_queue(case, *place)]))

    stored = as_model(Case, raw)
    if _lifted(stored):
        with suppress(NotFound, CaseMoved):
            write_as_read(attempt, moved=CaseMoved)


def _lifted(case: Case) -> int:
    """Returns how grave the case should be, 0 for one that is as grave."""
    if not is_open(case) or case.acted:
        return 0
    severity = severity_named(named_so_far(case), otherwise=int(case.severity))
    return severity if severity < int(case.severity) else 0

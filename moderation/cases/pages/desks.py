"""The cases on the desks of all members of staff, as one list."""

from heapq import merge
from itertools import islice

from accounts.permissions import list_staff
from moderation.cases.access_patterns import rows_of
from moderation.cases.pages.cards import CaseRow
from moderation.models import Case
from socialsite.table import keys
from socialsite.table.cursors import Place, read_cursor, write_cursor
from socialsite.table.item import escalated_index_name
from socialsite.table.meter import access_pattern
from socialsite.table.paging import PAGE_SIZE, Page
from socialsite.table.reading import RawItem, query_index
from socialsite.table.row import row

MOST_DESKS = 50


@access_pattern
def list_desks(*, severity: int = 0, cursor: str | None = None) -> Page[CaseRow]:
    """Returns the open cases that are assigned to anyone: the most urgent first, then the oldest. `severity` limits
    them.

    As `list_staff`, a Query of `escalatedIndex` for each of at most 50 members of staff, 0.5 read units per 4 KB, then
    one BatchGetItem of the people, 0.5 each.
    """
    scope = f"desks {severity}"
    low, high = keys.queue_bounds(severity)
    if cursor:
        low = read_cursor(scope, cursor).sk + " "  # the first place behind the last one shown
    desks = [
        query_index(
            escalated_index_name,
            keys.desk(person.user_id),
            between=(low, high),
            forward=True,
            limit=PAGE_SIZE + 1,
        )
        for person in list_staff()[:MOST_DESKS]
    ]
    found = list(islice(merge(*desks, key=_place_of), PAGE_SIZE + 1))
    more, shown = len(found) > PAGE_SIZE, found[:PAGE_SIZE]
    last = Place("next", _place_of(shown[-1])) if more else None
    return Page(rows_of(shown), write_cursor(scope, last) if last else None)


def _place_of(raw: RawItem) -> str:
    return row(Case, raw).escalated_at

"""The cases on the desks of all members of staff, as one list."""

from collections.abc import Collection
from heapq import merge

from accounts.permissions import list_staff
from moderation.cases.access_patterns import rows_of
from moderation.cases.lists.languages import is_for
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
LOOKED_AT = 50  # cases of each desk, for one page of those in some languages


@access_pattern
def list_desks(
    *, severity: int = 0, languages: Collection[str] = (), cursor: str | None = None
) -> Page[CaseRow]:
    """Returns the open cases that are assigned to anyone: the most urgent first, then the oldest. `severity` limits
    them, and so do `languages`: then a page may be short and still have a next one.

    As `list_staff`, a Query of `escalatedIndex` for each of at most 50 members of staff, 0.5 read units per 4 KB, then
    one BatchGetItem of the people, 0.5 each.
    """
    scope = f"desks {severity}"
    low, high = keys.queue_bounds(severity)
    if cursor:
        low = read_cursor(scope, cursor).sk + " "  # the first place behind the last one shown
    most = LOOKED_AT if languages else PAGE_SIZE + 1
    desks = [
        query_index(
            escalated_index_name,
            keys.desk(person.user_id),
            between=(low, high),
            forward=True,
            limit=most,
        )
        for person in list_staff()[:MOST_DESKS]
    ]
    # Beyond the last one read of a full desk, that desk may hold more.
    reach = min((_place_of(desk[-1]) for desk in desks if len(desk) == most), default="")
    shown: list[RawItem] = []
    last = ""
    for raw in merge(*desks, key=_place_of):
        is_beyond = bool(reach) and _place_of(raw) > reach
        if is_beyond or len(shown) == PAGE_SIZE:
            break
        last = _place_of(raw)
        shown += [raw] if is_for(row(Case, raw), languages) else []
    else:
        if not reach:
            return Page(rows_of(shown))
    return Page(rows_of(shown), write_cursor(scope, Place("next", last)))


def _place_of(raw: RawItem) -> str:
    return row(Case, raw).escalated_at

"""Reading a queue in the languages of a moderator. The whole queue: `../access_patterns.py`."""

from collections.abc import Collection

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

MOST_LOOKED_AT = 200  # cases, for one page of fitting ones
A_CALL = 50


@access_pattern
def list_cases_in(
    partition: str,
    *,
    languages: Collection[str],
    severity: int = 0,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
) -> Page[CaseRow]:
    """Returns the open cases of a queue for people who read these languages, as `list_cases` does. A page may be short
    or even empty and still have a next one, because it looks at no more than 200 cases.

    At most 4 Queries of `escalatedIndex`, then one BatchGetItem of the people: 0.5 read units per 4 KB, and 0.5 a
    person.
    """
    scope = f"{partition} {severity}"
    low, high = keys.queue_bounds(severity)
    if cursor:
        low = read_cursor(scope, cursor).sk + " "
    taken: list[RawItem] = []
    last = ""
    for _ in range(MOST_LOOKED_AT // A_CALL):
        found = query_index(
            escalated_index_name, partition, between=(low, high), forward=True, limit=A_CALL
        )
        for raw in found:
            if len(taken) == size:
                return Page(rows_of(taken), write_cursor(scope, Place("next", last)))
            case = row(Case, raw)
            last = case.escalated_at
            taken += [raw] if is_for(case, languages) else []
        if len(found) < A_CALL:
            return Page(rows_of(taken), None)
        low = last + " "
    return Page(rows_of(taken), write_cursor(scope, Place("next", last)))

"""The cases closed in a month."""

from dataclasses import replace
from datetime import datetime

from moderation.cases.access_patterns import people_of
from moderation.cases.pages.cards import CaseRow, person_of
from moderation.models import Case, ClosedCase
from socialsite.table import keys
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.paging import Page, query_page
from socialsite.table.reading import RawItem, fetch
from socialsite.table.row import row
from socialsite.web.ago import ago


@access_pattern
def list_closed(month: str, *, cursor: str | None = None) -> Page[CaseRow]:
    """Returns the cases closed in a month (`2026-11`), newest first, with how and by whom they were closed. Leaves out
    cases that were opened again.

    Query `closed#<month>`, then two BatchGetItems of cases and people: 0.5 + 10 + at most 20 read units.
    """
    page = query_page(keys.closed_cases(month), cursor=cursor)
    found = fetch(map(_case_key, page.items))
    closings = [
        raw
        for raw in page.items
        if row(Case, found.get(_case_key(raw), {})).closed_at == row(ClosedCase, raw).closed_at
    ]
    cases = [found[_case_key(raw)] for raw in closings]
    people = fetch(people_of([*cases, *closings])) if cases else {}
    rows = [CaseRow.from_raw(raw, people) for raw in cases]
    return page.with_items(
        [
            replace(
                case,
                outcome=closing.decision,
                is_undone=bool(closing.undone_at),
                closed_by=person_of(closing.moderator_id, people),
                closed_ago=ago(datetime.fromisoformat(closing.closed_at)),
            )
            for case, closing in zip(rows, (row(ClosedCase, raw) for raw in closings), strict=True)
        ]
    )


def _case_key(raw: RawItem) -> Key:
    case = row(ClosedCase, raw)
    return keys.case(case.kind, case.subject_id)

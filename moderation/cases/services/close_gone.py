"""Closing the case of what is not there any more."""

from contextlib import suppress

from moderation.cases.cases import CaseId, CaseMoved, close_case, is_open, read_case
from moderation.cases.services.report import THE_SITE
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def close_gone(*, case_id: CaseId) -> None:
    """Closes the case in the name of the site; again, or without a case, nothing happens, nor while its person waits
    for the answer to an appeal. One consistent GetItem and one TransactWriteItems of 3 items, 7 write units."""

    def attempt() -> None:
        case = read_case(case_id)
        if is_open(case) and not case.appealed:
            transact(*close_case(case, decision="gone", action_id="gone", by=THE_SITE))

    with suppress(NotFound):
        write_as_read(attempt, moved=CaseMoved)

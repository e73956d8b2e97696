"""Closing the case of what is not there any more."""

from moderation.cases.cases import CaseId, CaseMoved, close_case, is_open, read_case
from moderation.cases.services.report import THE_SITE
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

TRIES = 5


@access_pattern
def close_gone(*, case_id: CaseId) -> None:
    """Closes the case in the name of the site; again, or without a case, nothing happens, nor while its person waits
    for the answer to an appeal. One consistent GetItem and one TransactWriteItems of 3 items, 7 write units."""
    for _ in range(TRIES):
        try:
            case = read_case(case_id)
        except NotFound:
            return
        if not is_open(case) or case.appealed:
            return
        try:
            transact(*close_case(case, decision="gone", action_id="gone", by=THE_SITE))
        except CaseMoved:
            continue
        return

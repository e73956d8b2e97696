"""Closing a case whose post or person is gone."""

from contextlib import suppress

from moderation.cases.cases import CaseId, CaseMoved, read_case
from moderation.cases.closing import close_case
from moderation.cases.services.report import THE_SITE
from moderation.cases.states import Step, after, state_of
from socialsite.table.as_read import write_as_read
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def close_gone(*, case_id: CaseId) -> None:
    """Closes the case in the name of the site; safe to repeat. It does nothing without a case, while the person waits
    for the answer to an appeal, and while a moderator reviews the case. One consistent GetItem and one
    TransactWriteItems of 3 items, 7 write units."""

    def attempt() -> None:
        case = read_case(case_id)
        if after(case, Step.LOSE_SUBJECT) is not state_of(case):
            transact(*close_case(case, decision="gone", action_id="gone", by=THE_SITE))

    with suppress(NotFound, CaseMoved):
        write_as_read(attempt, moved=CaseMoved)

"""Opening a case as staff, about a person whom they met themselves. It is a report like any other, in their name, but
without a limit and with an entry in the log."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from moderation.audit.record import record_with
from moderation.cases.cases import CaseId, CaseMoved
from moderation.cases.services.report import Filing, file_report, report_actions
from moderation.models import CaseKind
from relations.relation import CannotRelateToYourself
from socialsite.site.site_rules import rule_of
from socialsite.table.actions import WriteAction
from socialsite.table.as_read import write_as_read
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact


@access_pattern
def open_case(
    *, by: Viewer, person_id: str, rule_id: str = "", posts: Sequence[str] = (), comment: str = ""
) -> CaseId:
    """Opens a case about a person and some of their posts, or joins the open one. Returns its id. Safe to repeat: who
    has reported the person in this round of the case reports nothing again, and enters nothing in the log.

    Costs as `file_report`, and once a consistent GetItem of the log's head and 4 write units. Each further post costs
    another `file_report`. Raises `NotFound`, `CannotRelateToYourself`, `Conflict`.
    """
    if by.user_id == person_id:
        raise CannotRelateToYourself
    case_id, severity = CaseId(CaseKind.PERSON, person_id), rule_of(rule_id).severity
    first, *others = posts or ("",)
    filing = Filing(by.user_id, person_id, first, rule_id, severity, comment)

    def write(*entry: WriteAction) -> bool:
        actions = report_actions(filing)
        if actions:
            transact(*actions, *entry)
        return bool(actions)

    def attempt() -> None:
        record_with(
            write, by=by.user_id, action="open case", case=str(case_id), person_id=person_id
        )

    write_as_read(attempt, moved=CaseMoved)
    for post_id in others:
        file_report(by=by, person_id=person_id, post_id=post_id, rule_id=rule_id, severity=severity)
    return case_id

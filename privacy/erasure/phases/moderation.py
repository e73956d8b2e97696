"""What moderators know of the person. Reports lose their reporter, and what was decided about them stays as evidence
until its term ends."""

from moderation.cases.cases import CaseId
from moderation.cases.services.end_for_erasure import forget_reporter, let_case_end, let_strike_end
from moderation.models import CaseKind, ReportTrace
from privacy.erasure.leaver import Handled, Leaver, first_of
from socialsite.table import keys
from socialsite.table.reading import as_model, query

AT_ONCE = 25
ABOUT_PEOPLE = (CaseKind.PERSON, CaseKind.SIGN_UP)


def erase_reports(leaver: Leaver) -> Handled:
    """Takes the person's name off their next reports. One Query; 8 write units each, as `forget_reporter`."""
    found = first_of(keys.report_traces(leaver.user_id), AT_ONCE)
    for raw in found:
        forget_reporter(as_model(ReportTrace, raw))
    return Handled(reports=len(found))


def let_evidence_end(leaver: Leaver) -> Handled:
    """Gives the cases about the person a term, with the strikes, and closes those without reports that wait. One Query
    of the strikes; what `let_case_end` costs for each case."""
    ended = sum(
        let_case_end(CaseId(kind, leaver.user_id), until=leaver.evidence_until)
        for kind in ABOUT_PEOPLE
    )
    strikes = query(keys.strikes(leaver.user_id), consistent=True)
    for raw in [raw for raw in strikes if "ttl" not in raw]:
        ended += let_strike_end(raw, until=leaver.evidence_until)
    return Handled(evidence=ended)

"""Whose reports say less about how grave a case is."""

from itertools import islice

from moderation.models import WITHOUT_EFFECT, ActionKind, CaseOutcome, ReportTrace
from socialsite.site.default_rules import SERIOUS, URGENT
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, query
from socialsite.table.row import row

OFTEN = 3
EFFECTIVE = {*ActionKind} - WITHOUT_EFFECT
MOST_READ = 50  # reports of theirs


@access_pattern
def weighed(severity: int, *, reporter_id: str) -> int:
    """Returns how grave a person's report makes a case. Urgent becomes serious if it comes from someone whose reports
    moderators dismissed, at least three times and more often than they acted on one: so nobody alone fills the top of
    the queue for ever.

    Nothing is read for less than urgent. Otherwise a Query of at most 50 traces of the reporter, 0.5 read units per
    4 KB, and if there are any a BatchGetItem of the outcomes, 0.5 each.
    """
    if severity > URGENT:
        return severity
    traces = query(keys.report_traces(reporter_id), forward=False, limit=MOST_READ)
    reported = (row(ReportTrace, raw) for raw in islice(traces, MOST_READ))
    wanted = [keys.case_outcome(one.kind, one.subject_id, int(one.round)) for one in reported]
    outcomes = [row(CaseOutcome, raw) for raw in (fetch(wanted) if wanted else {}).values()]
    standing = [one.decision for one in outcomes if not one.undone_at]
    dismissed = standing.count(ActionKind.DISMISS)
    acted_on = sum(one in EFFECTIVE for one in standing)
    return SERIOUS if dismissed >= OFTEN and dismissed > acted_on else severity

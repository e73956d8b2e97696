"""Counts what became of people's reports: when they report, and when moderators answer, undo and answer again."""

from moderation.cases.reads import THE_SITE
from moderation.models import CaseKind, CaseOutcome, CaseReport, ReportTrace
from moderation.reporters.writes import count_again
from socialsite.streams import Change, Ledger, on
from socialsite.table import keys, query, row


@on(ReportTrace, "INSERT", "MODIFY", "REMOVE")
def count_report(change: Change, ledger: Ledger) -> None:
    """Counts someone's reports when they reported in a new round of a case, or what they reported has expired. Safe to
    run twice: it writes what is true now. As `count_again`."""
    trace, old = change.item, change.old
    assert isinstance(trace, ReportTrace)
    if isinstance(old, ReportTrace) and change.new is not None and old.round == trace.round:
        return
    ledger.note_effect()
    count_again(trace.user_id)


@on(CaseOutcome, "INSERT", "MODIFY", "REMOVE")
def count_outcome(change: Change, ledger: Ledger) -> None:
    """Counts the reports of everyone who reported in the round of a case that was answered, whose answer changed or was
    undone, or that is open again. Safe to run twice: it writes what is true now. One Query of the reports, 0.5 read
    units per 4 KB, and for each reporter what `count_again` costs."""
    outcome, old = change.item, change.old
    assert isinstance(outcome, CaseOutcome)
    partition = outcome.key.pk
    if not partition.startswith(keys.case_partition(CaseKind.PERSON, "")):
        return
    if isinstance(old, CaseOutcome) and change.new is not None and _said(old) == _said(outcome):
        return
    ledger.note_effect()
    reports = query(partition, between=keys.report_bounds(), consistent=True)
    for report in (row(CaseReport, raw) for raw in reports):
        is_of_round = int(report.round) == int(outcome.round)
        if is_of_round and report.reporter_id != THE_SITE and not report.erased:
            count_again(report.reporter_id)


def _said(outcome: CaseOutcome) -> tuple[str, str | None]:
    return outcome.decision, outcome.undone_at

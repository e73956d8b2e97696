"""What becomes of cases when an account is erased: all are kept for a term, those whose reports wait stay open for it,
and reports lose their reporter."""

from contextlib import suppress
from datetime import datetime

from accounts.erasing import Handled, Leaver, erases, first_of
from moderation.cases.changes import change_case, close_case
from moderation.cases.held import elsewhere, keep_while_urgent, let_end, term_of
from moderation.cases.reads import THE_SITE, CaseId, CaseMoved, is_open, read_case
from moderation.cases.rounds import without_appeals
from moderation.models import Appeal, Case, CaseKind, CaseReport, ReportTrace, Strike
from socialsite.site_settings.site_setup import URGENT
from socialsite.table import (
    Create,
    Delete,
    NotFound,
    RawItem,
    access_pattern,
    as_model,
    change,
    fetch,
    ids,
    key_of,
    keys,
    query,
    row,
    transact,
    write_optimistically,
)

ERASED = "yes"


@access_pattern
def let_case_end(case_id: CaseId, *, until: datetime) -> int:
    """Closes a case in the name of the site, even under an appeal or a review, unless reports of a person wait, which
    staff still have to read. Lets all its items expire at a moment, with their traces, open or closed. Returns how many
    had no end before. Safe to repeat.

    A legal hold on the case keeps it longer, and while an urgent one waits for a decision, it is kept (`held.py`).

    Two consistent Queries of the case, 1 read unit for each 4 KB, 7 write units to close it, and 1 for each item. An
    appeal beside reports costs 3 write units and what `severity_without` reads.
    """
    with suppress(NotFound):
        write_optimistically(lambda: _end_what_waits(case_id), moved=CaseMoved)
    partition = keys.case_partition(case_id.kind, case_id.subject_id)
    found = list(query(partition, consistent=True))
    cases = [as_model(Case, raw) for raw in found if raw["type"]["S"] == Case.__name__]
    if cases:
        until = _noted_term(cases[0], until)
    endless = [raw for raw in found if "ttl" not in raw]
    for raw in endless:
        for key in (*elsewhere(case_id, raw), key_of(raw)):
            let_end(key, until)
    return len(endless)


def _noted_term(case: Case, until: datetime) -> datetime:
    """Returns when the case ends. Notes the end that it would have without a hold, and to look again if it is urgent
    and stays open."""
    term = term_of(case, until)
    if term > until and not case.ends_before:
        with suppress(NotFound):
            end = until.isoformat(timespec="seconds")
            change(Case, case.key, [Case.ends_before.set(end)])
    if case.ttl is None:
        keep_while_urgent(case, term)
    return term


@access_pattern
def let_strike_end(raw: RawItem, *, until: datetime) -> int:
    """Lets a strike expire at a moment, together with its case, and ends an appeal that waits. Safe to repeat. 1 write
    unit, and what `let_case_end` costs."""
    strike = row(Strike, raw)
    ended = let_case_end(CaseId(CaseKind(strike.case_kind), strike.subject_id), until=until)
    actions = [Strike.ttl.set(until)]
    if strike.appeal == Appeal.OPEN:
        actions.append(Strike.appeal.remove())
    with suppress(NotFound):
        change(Strike, key_of(raw), actions)
    return ended + 1


@access_pattern
def forget_reporter(trace: ReportTrace) -> None:
    """Gives a report and its trace to an id that nobody has, so that the case keeps what was reported. Safe to repeat.

    One consistent BatchGetItem, 1 read unit, and one TransactWriteItems of 4 items, 8 write units.
    """
    nobody = ids.new_id()
    key = keys.case_report(trace.kind, trace.subject_id, trace.user_id)
    raw = fetch([key], consistent=True).get(key)
    gone = [Delete(trace.key)]
    if raw is None:
        with suppress(NotFound):
            transact(*gone)
        return
    report = as_model(CaseReport, raw)
    report.pk, report.sk = keys.case_report(trace.kind, trace.subject_id, nobody)
    report.reporter_id, report.erased = nobody, ERASED
    copy = as_model(ReportTrace, trace.serialize())
    copy.pk, copy.sk = keys.report_trace(nobody, trace.kind, trace.subject_id)
    copy.user_id = nobody
    with suppress(NotFound):  # another try did it
        transact(*gone, Delete(key), Create(report), Create(copy))


def _end_what_waits(case_id: CaseId) -> None:
    case = read_case(case_id)
    if not is_open(case):
        return
    if case.kind == CaseKind.PERSON and (case.reports or _is_urgent(case)):
        if case.appealed:
            transact(without_appeals(case))
        return
    if case.claimed_by:
        transact(change_case(case, [Case.claimed_by.remove(), Case.claimed_until.remove()]))
        case = read_case(case_id)
    transact(*close_case(case, decision="gone", action_id="gone", by=THE_SITE))


def _is_urgent(case: Case) -> bool:
    """Whether staff opened it for something urgent. An appeal of the person alone is none any more."""
    return int(case.severity) == URGENT and not case.appealed


AT_ONCE = 25
ABOUT_PEOPLE = (CaseKind.PERSON, CaseKind.SIGN_UP)


@erases("reports")
def erase_reports(leaver: Leaver) -> Handled:
    """Takes the person's name off their next reports. One Query; 8 write units each, as `forget_reporter`."""
    found = first_of(keys.report_traces(leaver.user_id), AT_ONCE)
    for raw in found:
        forget_reporter(as_model(ReportTrace, raw))
    return Handled(reports=len(found))


@erases("evidence")
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

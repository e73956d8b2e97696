"""Demo reports: what `seeding.py` writes for the moderators, as `moderation/services/report.py` would have left it."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from moderation.cases import CaseId, begin_case
from moderation.models import Case, CaseEvidence, CaseKind, CaseReport, Queue, ReportTrace
from socialsite.default_rules import SEVERITIES
from socialsite.demo.content import DemoReport, reports
from socialsite.demo.graph import KNOWN_PEOPLE
from socialsite.table import ids, keys
from socialsite.table.item import Item

EVERY = 3  # posts, one is reported


def choose_reported(newest: int, people: int) -> dict[int, DemoReport]:
    """Which of the posts, by number, are the reported ones: of the last days, and none where all are well known."""
    if newest <= EVERY * len(reports()) or people <= KNOWN_PEOPLE:
        return {}
    return {newest - EVERY * place: report for place, report in enumerate(reports(), start=1)}


def report_items(
    report: DemoReport, *, author_id: str, post_id: str, reporters: Sequence[str]
) -> Iterator[Item]:
    """The case about the author of one post, with a report and a trace of each reporter and the evidence."""
    case_id = CaseId(CaseKind.PERSON, author_id)
    reporters = reporters[: report.reporters]
    posted = ids.time_of(post_id)
    moments = [posted + timedelta(minutes=7 * number + 4) for number in range(len(reporters))]
    case = begin_case(
        case_id,
        person_id=author_id,
        queue=Queue.REPORTS,
        severity=SEVERITIES[report.rule],
        reports=len(reporters),
        rules={report.rule},
        opened_at=moments[0].isoformat(),
    ).item
    assert isinstance(case, Case)
    yield case
    version = hashlib.sha256(report.text.encode()).hexdigest()[:12]
    yield CaseEvidence(
        *keys.case_evidence(CaseKind.PERSON, author_id, post_id, version),
        post_id=post_id,
        author_id=author_id,
        content=report.text,
        kept_at=moments[0].isoformat(),
    )
    for number, (reporter_id, moment) in enumerate(zip(reporters, moments, strict=True)):
        reported_at = min(moment, datetime.now(UTC)).isoformat()
        yield CaseReport(
            *keys.case_report(CaseKind.PERSON, author_id, reporter_id),
            reporter_id=reporter_id,
            round=1,
            rule_id=report.rule,
            comment=report.comments[number] if number < len(report.comments) else None,
            posts={post_id},
            reported_at=reported_at,
        )
        yield ReportTrace(
            *keys.report_trace(reporter_id, CaseKind.PERSON, author_id),
            user_id=reporter_id,
            kind=CaseKind.PERSON,
            subject_id=author_id,
            person_id=author_id,
            round=1,
            reported_at=reported_at,
        )

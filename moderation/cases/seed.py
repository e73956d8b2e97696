"""The items of demo reports, as `services/report.py` would have written them."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import timedelta

from moderation.cases.cases import CaseId, begin_case
from moderation.models import Case, CaseEvidence, CaseKind, CaseReport, Queue, ReportTrace
from socialsite.clock import utc_now
from socialsite.site.default_rules import SEVERITIES
from socialsite.table import ids, keys
from socialsite.table.item import Item


def report_items(
    *,
    author_id: str,
    post_id: str,
    text: str,
    rule_id: str,
    comments: Sequence[str],
    reporters: Sequence[str],
) -> Iterator[Item]:
    """Returns the case about a post's author, with the evidence, and a report and a trace for each reporter."""
    case_id = CaseId(CaseKind.PERSON, author_id)
    posted = ids.time_of(post_id)
    moments = [posted + timedelta(minutes=7 * number + 4) for number in range(len(reporters))]
    case = begin_case(
        case_id,
        person_id=author_id,
        queue=Queue.REPORTS,
        severity=SEVERITIES[rule_id],
        reports=len(reporters),
        rules={rule_id},
        opened_at=moments[0].isoformat(),
    ).item
    assert isinstance(case, Case)
    yield case
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    yield CaseEvidence(
        *keys.case_evidence(CaseKind.PERSON, author_id, post_id, version),
        post_id=post_id,
        author_id=author_id,
        content=text,
        kept_at=moments[0].isoformat(),
    )
    for number, (reporter_id, moment) in enumerate(zip(reporters, moments, strict=True)):
        reported_at = min(moment, utc_now()).isoformat()
        yield CaseReport(
            *keys.case_report(CaseKind.PERSON, author_id, reporter_id),
            reporter_id=reporter_id,
            round=1,
            rule_id=rule_id,
            comment=comments[number] if number < len(comments) else None,
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

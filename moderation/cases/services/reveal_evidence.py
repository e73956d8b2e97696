"""Looking at reported posts that were not for everyone: entered in the audit log before anything is shown."""

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.access_patterns import MOST_OF_A_CASE, first_rows
from moderation.cases.cases import CaseId, read_case
from moderation.models import CaseEvidence, CaseKind
from socialsite.table import keys
from socialsite.table.meter import access_pattern
from socialsite.table.row import row


@access_pattern
def reveal_evidence(*, by: Viewer, case_id: CaseId) -> None:
    """Notes that the moderator looks at posts that were not for everyone. Each look is a new entry, and the posts are
    shown only this time. Raises `NotFound`.

    A consistent GetItem of the case and one of the log's head, a consistent Query of the evidence (of a held post
    nothing), then one TransactWriteItems, 4 write units.
    """
    case = read_case(case_id)
    record(
        by=by.user_id,
        action="view private post",
        case=str(case_id),
        person_id=case.person_id,
        detail={"posts": _private_posts(case_id)},
    )


def _private_posts(case_id: CaseId) -> list[str]:
    if case_id.kind == CaseKind.POST:
        return [case_id.subject_id]
    rows = first_rows(case_id.key.pk, keys.evidence_bounds(), MOST_OF_A_CASE)
    evidence = (row(CaseEvidence, raw) for raw in rows)
    return sorted({one.post_id for one in evidence if one.audience})

"""Looking at posts of a case that were not for everyone: entered in the audit log before anything is shown."""

from collections.abc import Sequence

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.cases import CaseId, read_case
from socialsite.table.meter import access_pattern


@access_pattern
def reveal_evidence(*, by: Viewer, case_id: CaseId, posts: Sequence[str]) -> None:
    """Notes that the moderator looks at posts that were not for everyone: reported ones, and those above a reported
    reply. Each look is a new entry, and the posts are shown only this time. Raises `NotFound`.

    A consistent GetItem of the case and one of the log's head, then one TransactWriteItems, 4 write units.
    """
    record(
        by=by.user_id,
        action="view private post",
        case=str(case_id),
        person_id=read_case(case_id).person_id,
        detail={"posts": list(posts)},
    )

"""Looking at a photo of a case, or at a picture of a profile: entered in the audit log before anything is shown."""

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.cases import CaseId, read_case
from socialsite.table.meter import access_pattern


@access_pattern
def look_at_photo(*, by: Viewer, case_id: CaseId, post_id: str, photo_id: str) -> None:
    """Notes that the moderator looks at a photo of a reported or held post, or without a post at a picture of a
    profile. Each look is a new entry. Raises `NotFound`.

    A consistent GetItem of the case and one of the log's head, then one TransactWriteItems, 4 write units.
    """
    record(
        by=by.user_id,
        action="view photo",
        case=str(case_id),
        person_id=read_case(case_id).person_id,
        detail={"posts": [post_id], "photo": photo_id} if post_id else {"photo": photo_id},
    )

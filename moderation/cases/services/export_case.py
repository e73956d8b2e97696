"""Exporting a case as a zip for an authority: entered in the audit log before anything leaves the site."""

from typing import IO

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.cases import CaseId
from moderation.cases.export.records import list_entries_of, read_records
from moderation.cases.export.zip_file import CaseZip
from moderation.cases.services.decide import OwnCase
from socialsite.clock import utc_now_iso
from socialsite.table.meter import access_pattern


@access_pattern
def export_case(*, by: Viewer, case_id: CaseId, with_notes: bool = False) -> IO[bytes]:
    """Returns the case as a zip, with the posts that were not for everyone, and with the moderators' notes if that was
    chosen. The log keeps which posts, which of them were covered, how many pictures, whether notes, and the hash of
    the list of hashes, so that it shows later what was handed out and opened. Raises `NotFound`, `OwnCase`.

    As `read_records`, then a GetItem of the log's head and one TransactWriteItems, 4 write units, then as
    `list_entries_of`; and a file for each photo.
    """
    records = read_records(case_id, with_notes=with_notes)
    if records.person_id == by.user_id:
        raise OwnCase
    made = CaseZip()
    made.add_case(records, exported_at=utc_now_iso(), exported_by=by.user_id, with_notes=with_notes)
    record(
        by=by.user_id,
        action="export case",
        case=str(case_id),
        person_id=records.person_id,
        detail={
            "posts": records.posts,
            **({"opened": records.private_posts} if records.private_posts else {}),
            **({"photos": records.pictures} if records.pictures else {}),
            "sha256": made.add_sums(),
            **({"notes": "yes"} if with_notes else {}),
        },
    )
    return made.add_log(list_entries_of(case_id, since=records.since))

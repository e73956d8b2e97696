"""Notes that moderators leave on a case for each other."""

from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.case_permissions import must_outrank, read_case_and_role
from moderation.cases.cases import CaseId
from moderation.models import CaseNote
from socialsite.table import ids, keys
from socialsite.table.actions import Create
from socialsite.table.meter import access_pattern


@access_pattern
def add_note(*, by: Viewer, case_id: CaseId, text: str) -> str:
    """Leaves a note and returns its id. As `read_case_and_role`, one consistent GetItem of the log's head, then one
    TransactWriteItems, 6 write units. Raises `NotFound`, `Outranked`."""
    case, role = read_case_and_role(case_id)
    must_outrank(by, role)
    note_id = ids.new_id()
    key = keys.case_note(case.kind, case.subject_id, note_id)
    note = CaseNote(*key, note_id=note_id, moderator_id=by.user_id, text=text, ttl=case.ttl)
    record(Create(note), by=by.user_id, action="note", case=str(case_id), person_id=case.person_id)
    return note_id

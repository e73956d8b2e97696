"""Notes that moderators leave on a person for each other, whether or not anyone reported them."""

from accounts.models import UserInfo
from accounts.viewer import Viewer
from moderation.audit.record import record
from moderation.cases.case_permissions import must_outrank
from moderation.models import PersonNote
from socialsite.table import ids, keys, reading
from socialsite.table.actions import Check, Create
from socialsite.table.meter import access_pattern


@access_pattern
def note_person(*, by: Viewer, user_id: str, text: str) -> str:
    """Leaves a note and returns its id. Two consistent GetItems, of the person and the log's head, then one
    TransactWriteItems, 8 write units. Raises `NotFound`, `Outranked`."""
    must_outrank(by, reading.get(UserInfo, keys.user_info(user_id), consistent=True).role or "")
    note_id = ids.new_id()
    key = keys.person_note(user_id, note_id)
    note = PersonNote(*key, user_id=user_id, note_id=note_id, moderator_id=by.user_id, text=text)
    there = Check(keys.user_info(user_id), UserInfo.pk.exists())
    record(there, Create(note), by=by.user_id, action="note on person", person_id=user_id)
    return note_id

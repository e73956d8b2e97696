"""What stands above the queue: notes of the staff for each other, and the viewer's saved lists."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import parse_qsl

from django.core.exceptions import BadRequest

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from moderation.cases.queue_place import QueuePlace
from socialsite.clock import utc_now
from socialsite.models import Staff
from socialsite.table import access_pattern, fetch, keys, query, row
from socialsite.texts import isolated
from socialsite.web.preferences import ago

LASTS = timedelta(days=3)  # a shift note
MOST_NOTES = 5


@dataclass(frozen=True, slots=True)
class ShiftNote:
    author: PersonCard
    text: str
    iso: str
    ago: str


@dataclass(frozen=True, slots=True)
class DeskTop:
    """`filters` are the viewer's saved lists, by name: each the address of a list that anyone on the staff can open."""

    notes: list[ShiftNote]
    own_note: str
    filters: list[tuple[str, str]]


@access_pattern
def get_desk_top(viewer: Viewer) -> DeskTop:
    """Returns the newest 5 notes of the last days, and the saved lists of the viewer. A Query of the staff, 0.5 read
    units per 4 KB, and if there are notes one BatchGetItem of who wrote them, 0.5 each. In all at most 3.5 read units
    for 10 of the staff."""
    staff = [row(Staff, raw) for raw in query(keys.staff())]
    own = next((one for one in staff if one.user_id == viewer.user_id), None)
    noted = [one for one in staff if one.shift_note and _still_holds(one.noted_at)]
    newest = sorted(noted, key=lambda one: one.noted_at, reverse=True)[:MOST_NOTES]
    found = fetch(keys.user_info(one.user_id) for one in newest) if newest else {}
    notes = [
        _note(one, PersonCard.from_raw(found[key]))
        for one in newest
        if (key := keys.user_info(one.user_id)) in found
    ]
    return DeskTop(
        notes=notes,
        own_note=own.shift_note if own in noted else "",
        filters=saved_lists(own) if own else [],
    )


def saved_lists(staff: Staff) -> list[tuple[str, str]]:
    """Returns the name and the address of each, in the order of the names."""
    found = []
    for name, asked in sorted(dict(staff.filters or {}).items()):
        with suppress(BadRequest):  # of a language, say, that the site no longer has
            place = QueuePlace.from_query(dict(parse_qsl(asked)))
            found.append((isolated(name), place.url))
    return found


def _note(staff: Staff, author: PersonCard) -> ShiftNote:
    at = staff.noted_at
    return ShiftNote(author, isolated(staff.shift_note), at, ago(datetime.fromisoformat(at)))


def _still_holds(noted_at: str) -> bool:
    return datetime.fromisoformat(noted_at) + LASTS > utc_now()

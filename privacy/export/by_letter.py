"""The copy of a person's data for a request by letter: the same archive as their own export, written where the operator
says. It leaves their own export alone, with its one in 24 hours. The operator proves who asks, as no page does."""

from typing import IO

from accounts.people.reads import find_user_by_handle
from moderation.log.writes import OPERATOR, record
from privacy.export.kinds import owner_of
from privacy.export.parts import delete_files, save_part
from privacy.export.sources import SOURCES, Place
from privacy.export.zip_file import write_export
from privacy.models import Export
from socialsite.clock import utc_now
from socialsite.observing.logs import Event, note_event
from socialsite.table import access_pattern, ids
from socialsite.telling import kind, tell

DATA_GIVEN = kind("data-given", by_letter=True)


@access_pattern
def write_by_letter(
    *, handle: str, target: IO[bytes], site: str, language: str, zone: str = "UTC"
) -> str:
    """Writes the archive of everything that the site knows of a person, also of one who is suspended or whose account
    waits to be erased, and returns their id. Raises `NotFound`. Its parts are kept as files while it is made, and
    no longer.

    Costs as `owner_of`, `find_user_by_handle` and each step of an export (`export_step`), behind the same wall.
    """
    user_id = find_user_by_handle(handle)
    export = Export.new(
        user_id=user_id,
        export_id=ids.new_id(),
        asked_at=utc_now().isoformat(),
        site=site,
        language=language,
        zone=zone,
        ttl=utc_now(),
    )
    owner = owner_of(user_id, export)
    try:
        place: Place | None = Place.from_cursor("")
        part = ""
        while place:
            piece = SOURCES[place.number].read(owner, place.after)
            if piece.lines or not part:
                part = save_part(user_id, export.export_id, piece.lines, before=part)
            place = place.further(after=piece.following, part=part)
        write_export(owner, part=part, target=target)
    finally:
        delete_files(user_id, export.export_id)
    return user_id


@access_pattern
def note_given(*, user_id: str, reason: str, silent: bool) -> None:
    """Enters in the audit log that the operator has a person's data, and tells them by letter unless that is
    forbidden. One TransactWriteItems of the entry and the letter, 6 write units and 1 read unit."""
    told = [] if silent else tell(user_id, DATA_GIVEN).actions()
    detail = {"text": reason, "silent": silent}
    record(*told, by=OPERATOR, action="export person", person_id=user_id, detail=detail)
    note_event(Event.EXPORT_ASKED, account=user_id)

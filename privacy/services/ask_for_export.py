"""Asking for a copy of all data of an account. The stream worker gathers them
(`privacy/stream_handlers/gather_export.py`), and the clock makes the zip (`make_export.py`)."""

from datetime import timedelta

from accounts.viewer import Viewer
from privacy.export.due import delete_later
from privacy.models import Export
from socialsite.clock import utc_now
from socialsite.models import Job, JobKind
from socialsite.table import ids
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event

ONE_EVERY = timedelta(hours=24)


class AlreadyExported(AlreadyExists):
    """An export is being made, or was ready in the last 24 hours."""


@access_pattern
def ask_for_export(*, by: Viewer, site: str, language: str, zone: str) -> None:
    """Asks for everything that the site knows of the signed-in account, locked out or not. `site` is the address of the
    site in links; pages are in the language and time zone.

    One TransactWriteItems of export, job and the planned end of its files, 6 write units. One at a time, and one in 24
    hours: raises `AlreadyExported`.
    """
    now = utc_now()
    export_id = ids.new_id()
    export = Export.new(
        user_id=by.account_id,
        export_id=export_id,
        asked_at=now.isoformat(),
        site=site,
        language=language,
        zone=zone,
        ttl=now + ONE_EVERY,
    )
    transact(
        Create(export, otherwise=AlreadyExported, over_expired=True),
        Create(Job.new(kind=JobKind.EXPORT, job_id=export_id, subject_id=by.account_id)),
        delete_later(by.account_id, export_id, asked_at=now),
    )
    note_event(Event.EXPORT_ASKED, account=by.account_id)

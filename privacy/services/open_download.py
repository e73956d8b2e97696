"""Opening the download of an export, once for each proof of identity."""

from contextlib import suppress
from datetime import timedelta

from accounts.viewer import Viewer
from privacy.export.state import State
from privacy.models import Export
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.errors import Conflict, NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change
from socialsite.web.observing.security_log import Event, note_event

OPEN_FOR = timedelta(minutes=10)


class UsedProof(Conflict):
    """This proof of identity has opened the download before."""


@access_pattern
def open_download(*, by: Viewer, export: State) -> None:
    """Lets this sign-in download the export for ten minutes, so that a download that breaks off can go on.

    One UpdateItem, 1 write unit. A press that is repeated finds the download open and does not prolong it: each time
    takes a proof of its own. Raises `NotFound` if there is no such export.
    """
    if not export.is_ready:
        raise NotFound("no export to download")
    granted = [
        Export.granted_to.set(by.secret_hash),
        Export.granted_until.set((utc_now() + OPEN_FOR).isoformat()),
        Export.used_proof.set(by.proved_at),
    ]
    is_it = Export.export_id == export.export_id
    is_unused = Export.used_proof.does_not_exist() | (Export.used_proof != by.proved_at)
    with suppress(UsedProof):
        change(
            Export,
            keys.export(by.account_id),
            granted,
            condition=is_it & is_unused,
            otherwise=UsedProof,
        )
        note_event(Event.EXPORT_DOWNLOADED, account=by.account_id)

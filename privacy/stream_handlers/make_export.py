"""Makes the zip of what the stream worker gathered, in the clock's thread, so that the stream does not wait for it."""

from contextlib import suppress
from datetime import timedelta
from tempfile import TemporaryFile

from accounts.mail.posting import post_mail
from privacy.export import due as planned
from privacy.export.making import write_export
from privacy.export.owner import find_owner
from privacy.export.parts import delete_files, save_zip
from privacy.models import Export
from socialsite.clock import utc_now
from socialsite.due.work import due_work
from socialsite.models import Due
from socialsite.table import keys
from socialsite.table.actions import Change
from socialsite.table.errors import NotFound
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact

OFFERED_FOR = timedelta(hours=24)


@due_work(planned.MAKE)
@access_pattern
def make_export(due: Due) -> None:
    """Makes the zip from the parts that the job left, keeps it, and says that it is ready, for 24 hours.

    One BatchGetItem of 4 read units, what `read_account` costs, and 4 write units. Safe to run twice: the zip of the
    same parts takes the place of the first. If the export is no longer wanted, its files go.
    """
    user_id, export_id = due.facts["user_id"], due.subject
    owner = find_owner(user_id, export_id)
    if owner is None:
        delete_files(user_id, export_id)
        return
    if owner.export.ready_at:
        return
    with TemporaryFile() as target:
        write_export(owner, part=due.facts["part"], target=target)
        size = target.tell()
        target.seek(0)
        save_zip(user_id, export_id, target)
    now = utc_now()
    ready = [
        Export.ready_at.set(now.isoformat()),
        Export.size.set(size),
        Export.ttl.set(now + OFFERED_FOR),
    ]
    with suppress(NotFound):  # deleted meanwhile; its files go with it at the latest in two days
        transact(
            Change(Export, keys.export(user_id), ready, Export.export_id == export_id),
            post_mail("export-ready", user_id=user_id),
        )

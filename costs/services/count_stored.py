"""Has everything in the table counted."""

from accounts.viewer import Viewer
from costs.stored import counting_key
from moderation.audit.record import record
from socialsite.clock import utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern


class AlreadyCounting(AlreadyExists):
    """A count is under way."""


@access_pattern
def count_stored(*, by: Viewer) -> None:
    """Starts the job that counts (`stream_handlers/count_stored.py`), and enters it in the audit log. Raises
    `AlreadyCounting`.

    As `record`, with one action more: 6 write units and 1 read unit. The job reads the whole table.
    """
    key = counting_key()
    job = Job(*key, kind=JobKind.COUNT_STORED, job_id="all", subject_id=utc_now_iso())
    record(Create(job, otherwise=AlreadyCounting), by=by.user_id, action="count stored")

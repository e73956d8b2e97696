"""The job that looks through the whole table after stream records were lost (`reconcile.py`), the weekly letter to
staff, and alarms."""

import json
import logging

from operations.alarms import stream as alarms
from operations.reconcile import reconcile_page
from operations.staff_letter import stream as staff_letter
from socialsite.streams import Job, JobKind, Step, job_step
from socialsite.streams.shards import close_gaps
from socialsite.table import Key
from socialsite.table.reading import scan_page

__all__ = ["alarms", "staff_letter"]

ITEMS_A_STEP = 100

log = logging.getLogger(__name__)


@job_step(JobKind.RECONCILE)
def reconcile_step(job: Job) -> Step:
    """Corrects the next items of the table: one Scan, consistent, and the cost of corrections. The cursor is the last
    key.

    Safe to run twice: corrections follow the present state, and the jobs that it enters have fixed keys.
    """
    after = Key(*json.loads(job.cursor)) if job.cursor else None
    items, last = scan_page(after=after, limit=ITEMS_A_STEP)
    for line in reconcile_page(items, begun=job.subject_id):
        log.info("set right: %s", line)
    if last is None:
        close_gaps()
    return Step(len(items), json.dumps(last) if last else None)

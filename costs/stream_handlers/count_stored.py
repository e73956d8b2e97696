"""The job that counts what the table stores, a page at a time."""

import json
from datetime import timedelta

from costs.models import StoredCount
from costs.stored import add_items
from socialsite.clock import utc_now, utc_now_iso
from socialsite.models import Job, JobKind
from socialsite.streams.jobs import Step, job_step
from socialsite.table.actions import Put
from socialsite.table.keys import Key
from socialsite.table.reading import scan_page

ITEMS_A_STEP = 500
KEPT = timedelta(days=400)


@job_step(JobKind.COUNT_STORED)
def count_stored_step(job: Job) -> Step:
    """Counts the next items: one Scan, consistent, 1 read unit per 4 KB. The cursor is the last key with the counts so
    far, and the last step writes them down in the transaction that ends the job.

    Safe to run twice: the cursor moves once, and with it the counts. People use the site meanwhile, so the count is of
    no single moment.
    """
    after, counts = json.loads(job.cursor) if job.cursor else (None, {})
    items, last = scan_page(after=Key(*after) if after else None, limit=ITEMS_A_STEP)
    counts = add_items(counts, items)
    if last is not None:
        return Step(len(items), json.dumps([last, counts], separators=(",", ":")))
    found = StoredCount.new(
        began_at=job.subject_id, counted_at=utc_now_iso(), counts=counts, ttl=utc_now() + KEPT
    )
    return Step(len(items), None, [Put(found)])

"""Sums of samples, and counts that jobs make."""

import json
from contextlib import suppress
from datetime import timedelta

from django.conf import settings

from accounts.models import UserSettings
from costs.models import CostDay, CostSample, StoredCount
from costs.stored import ACTIVE, add_items
from moderation.models import DayCount
from socialsite.clock import utc_now, utc_now_iso
from socialsite.streams import Change, Job, JobKind, Ledger, Step, job_step, on, own_part
from socialsite.table import AlreadyExists, Key, Put, access_pattern, create, fetch, keys
from socialsite.table.reading import scan_page

DAYS_KEPT = timedelta(days=400)


@on(CostSample, "INSERT")
@access_pattern
def add_sample(change: Change, ledger: Ledger) -> None:
    """Adds each row to its day. One consistent BatchGetItem, 1 read unit a row, and 1 write unit for each row that is
    new on its day; the commit takes 2 a row.

    Safe to run twice: a day's sum is created once, and the ledger adds to it.
    """
    sample = change.item
    assert isinstance(sample, CostSample)
    ttl = utc_now() + DAYS_KEPT
    rows = {keys.cost_day(sample.day, row[0], row[1]): row for row in sample.rows}
    known = fetch(rows, consistent=True)
    for key, (kind, name, *_) in rows.items():
        if key not in known:
            with suppress(AlreadyExists):
                create(CostDay.new(day=sample.day, kind=kind, name=name, ttl=ttl))
    # Nothing may fail between the entries: a retry would make the first one twice.
    for key, (*_, samples, times, half_reads, writes) in rows.items():
        sums = [
            (CostDay.samples, samples),
            (CostDay.times, times),
            (CostDay.half_reads, half_reads),
            (CostDay.writes, writes),
        ]
        ledger.add_all(CostDay, key, sums, if_gone=_nothing)


def _nothing() -> None:
    """Does nothing, because the sums of a day expire long after its samples."""


@on(UserSettings, "INSERT", "MODIFY")
@access_pattern
def count_active(change: Change, ledger: Ledger) -> None:
    """Counts a person on the first of their signed-in requests of a day. With `COST_SAMPLE=0` it counts nobody.

    One consistent GetItem, 1 read unit, and 1 write unit for the first person of the day in a part of the count. Safe
    to run twice: the part is created once, and the ledger adds to it. It keeps a number and no names: the day in a
    person's settings was there before.
    """
    new, old = change.item, change.old
    assert isinstance(new, UserSettings)
    if not settings.COST_SAMPLE or (isinstance(old, UserSettings) and old.seen == new.seen):
        return
    count = DayCount.new(day=new.seen, name=ACTIVE, part=own_part(keys.COUNT_PARTS))
    if not fetch([count.key], consistent=True):
        with suppress(AlreadyExists):
            create(count)
    ledger.add(DayCount, count.key, DayCount.times, 1, if_gone=_nobody_yet)


def _nobody_yet() -> None:
    """Does nothing, because day counts are never deleted."""


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

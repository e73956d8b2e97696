"""Notices records that the stream dropped before anyone read them, and makes up for them with a job."""

import logging
from contextlib import suppress

from socialsite.models import Job, JobKind, Lease
from socialsite.streams.leases.lease import HeldLease, is_done
from socialsite.streams.shards.source import Stream
from socialsite.table import ids, keys
from socialsite.table.errors import AlreadyExists, NotFound
from socialsite.table.writing import TRIES, change, create

RECONCILE_JOB = "gap"  # one at a time, however many shards have gaps

log = logging.getLogger(__name__)


def look_for_gap(stream: Stream, held: HeldLease, lost_parent: str | None) -> None:
    """Compares the place where the last owner stopped with what the stream still has, and notes a gap.

    Amazon refuses a place that it has dropped, but other engines read on from what is left. So this looks at the oldest
    record, which must not be newer than the checkpoint. If nobody has begun the shard, its parent must be read to its
    end, or still be listed.
    """
    if held.checkpoint:
        oldest = stream.oldest(held.shard_id)
        if oldest and int(oldest) > int(held.checkpoint):
            note_gap(held)
    elif lost_parent and not is_done(lost_parent):
        note_gap(held)


def note_gap(held: HeldLease) -> None:
    """Notes on the lease that records were lost, and begins the job that reads the whole table. A running job starts
    over."""
    log.error("records of %s were trimmed unread: reconciling the whole table", held.shard_id)
    held.note_gap()
    begin_reconciling()


def begin_reconciling() -> None:
    """Enters the job, or lets it start over."""
    begun = ids.new_id()
    job = Job.new(kind=JobKind.RECONCILE, job_id=RECONCILE_JOB, subject_id=begun)
    anew = [Job.cursor.set(""), Job.nudged_at.set(begun)]
    for _ in range(TRIES):
        with suppress(AlreadyExists):
            create(job)
            return
        with suppress(NotFound):  # it ended just now
            change(Job, job.key, anew)
            return


def close_gaps() -> None:
    """Notes on all leases that the whole table has been checked since. One UpdateItem a shard."""
    for shard in Stream().shards():
        with suppress(NotFound):
            change(Lease, keys.lease(shard.shard_id), [Lease.has_gap.set(0)])

"""What a worker may write after it lost its lease, and how that is set right.

Commits and transactions of such a worker fail, and before every other write it notices the loss (`lease.py`). Only the
calls that were on their way when it froze go out when it wakes, at most one for each of its threads. They are wrong
only about what changed since it looked: someone was unfollowed, and a fan-out puts a post into their timeline.

So handlers note each such change (`remember`, 1 write unit), and a job settles all that changed since the frozen worker
last held its lease: each is made what holds now. The job is entered by the worker that woke, and meanwhile every
`SETTLE_EVERY` seconds by the one that took the lease, should the other wake and die at once.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Any

from socialsite.clock import utc_now
from socialsite.models import Job, JobKind, RecentChange
from socialsite.streams.change import Change, moment_of
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.leases.lease import HeldLease, acquit, owner_is_dead
from socialsite.table import ids, keys, reading
from socialsite.table.errors import AlreadyExists
from socialsite.table.keys import Key
from socialsite.table.reading import RawItem, query
from socialsite.table.row import row
from socialsite.table.writing import create, write_batch

SETTLE_EVERY = 20.0  # seconds
CHANGES_A_STEP = 100
REMEMBERED_FOR = timedelta(days=2)
CLOCKS_DIFFER = timedelta(minutes=5)  # at most, between machines: Amazon refuses others
SHARDS_DIFFER = timedelta(seconds=10)  # at most, between the engine's own clocks

log = logging.getLogger(__name__)


class Recent(StrEnum):
    """What kinds of changes a late write may be wrong about."""

    TIMELINE = "timeline"  # whose posts belong into whose
    PROFILE = "profile"  # what others' relations copied


SETTLED_BY: dict[str, Callable[[str, str], None]] = {}


def settles(kind: Recent) -> Callable[[Callable[[str, str], None]], Callable[[str, str], None]]:
    """Registers what makes a remembered change hold again. It goes by what holds now, and may run at any time."""

    def register(function: Callable[[str, str], None]) -> Callable[[str, str], None]:
        SETTLED_BY[kind] = function
        return function

    return register


def remember(change: Change, kind: Recent, subject_id: str, other_id: str = "") -> None:
    """Notes a change, before its handler looks what to do: one BatchWriteItem of 1 write unit, with a fixed key."""
    end = change.moment + REMEMBERED_FOR
    noted = RecentChange.new(
        moment=change.moment, kind=kind, subject_id=subject_id, other_id=other_id, ttl=end
    )
    write_batch(puts=[noted])


def in_hand_since(records: Sequence[dict[str, Any]]) -> datetime:
    """From when on changes may be unknown to whoever begins with these records now: from the first record on, by the
    engine's clock, and if that is long ago from now on, by this machine's."""
    first = moment_of(records[0]) - SHARDS_DIFFER
    return max(first, utc_now() - CLOCKS_DIFFER)


def settle_since(moment: datetime, *, name: str = "") -> None:
    """Enters the job that settles what changed since; one of a name at a time. One PutItem."""
    job = Job.new(kind=JobKind.SETTLE, job_id=name or ids.new_id(), subject_id=moment.isoformat())
    with suppress(AlreadyExists):
        create(job)


def settle_suspects(held: HeldLease) -> None:
    """Settles once more what owners before this one may have written late; forgets those who are dead, and all when the
    time is over in which a request of theirs may be taken. One GetItem, one PutItem, and what the job takes."""
    lease = held.suspicion()
    if lease is None:
        return
    over = bool(lease.suspected_until) and _moment(lease.suspected_until) < utc_now()
    gone = {worker for worker in lease.suspects if over or owner_is_dead(worker)}
    log.info("settling what %s may have written late", sorted(lease.suspects))
    since = _moment(lease.suspected_since) - CLOCKS_DIFFER
    settle_since(since, name=f"{held.shard_id}-{held.epoch}")
    if gone:
        acquit(held.shard_id, gone)


@job_step(JobKind.SETTLE)
def settle_step(job: Job) -> Step:
    """The next changes: a Query of each day's partitions until `CHANGES_A_STEP` are found, 1 read unit each or more,
    and for each change what its kind takes. The cursor is the last one's key."""
    chunk = list(islice(_changes(_moment(job.subject_id), job.cursor), CHANGES_A_STEP))
    changes = (row(RecentChange, raw) for raw in chunk)
    seen = {(change.kind, change.subject_id, change.other_id) for change in changes}
    for kind, subject_id, other_id in sorted(seen):
        SETTLED_BY[kind](subject_id, other_id)
    more = len(chunk) == CHANGES_A_STEP
    return Step(len(chunk), " ".join(reading.key_of(chunk[-1])) if more else None)


def _changes(since: datetime, cursor: str) -> Iterator[RawItem]:
    """All changes since a moment, behind the cursor."""
    last = Key(*cursor.split(" ")) if cursor else Key("", "")
    for partition in _partitions(since):
        if partition < last.pk:
            continue
        after = last if partition == last.pk else None
        yield from query(
            partition,
            after=after,
            between=(since.isoformat(), "~"),
            consistent=True,
            limit=CHANGES_A_STEP,
        )


def _partitions(since: datetime) -> Iterator[str]:
    day: date = since.date()
    while day <= utc_now().date():
        for shard in range(keys.CHANGE_SHARDS):
            yield keys.recent_changes(day, shard)
        day += timedelta(days=1)


def _moment(text: str | None) -> datetime:
    return datetime.fromisoformat(text) if text else utc_now() - REMEMBERED_FOR

"""Corrects what a worker may have written after it lost its lease.

Commits and transactions of such a worker fail, and before every other write it notices the loss (`leases.py`). Only the
calls that were under way when it froze go out when it wakes, at most `FAN_OUT_AT_ONCE`. They are wrong only
if something changed since it looked: for example, someone unfollowed an author, and the fan-out still puts a post into
their timeline.

So handlers note each such change (`remember`, 1 write unit). A job then settles all changes since the frozen worker
last held its lease, by the present state. The worker that woke enters the job. Until then, the worker that took the
lease enters it every `SETTLE_EVERY` seconds, in case the other wakes and dies at once.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import islice
from typing import Any

from socialsite.clock import utc_now
from socialsite.keys.key import Key
from socialsite.streams.change import Change, moment_of
from socialsite.streams.jobs import Step, job_step
from socialsite.streams.leases import HeldLease, acquit, owner_is_dead
from socialsite.streams.models import Job, JobKind, RecentChange
from socialsite.table import (
    AlreadyExists,
    RawItem,
    create,
    ids,
    keys,
    query,
    reading,
    row,
    write_batch,
)

SETTLE_EVERY = 20.0  # seconds
CHANGES_A_STEP = 100
REMEMBERED_FOR = timedelta(days=2)
CLOCKS_DIFFER = timedelta(minutes=5)  # at most, between machines: Amazon refuses others
SHARDS_DIFFER = timedelta(seconds=10)  # at most, between the engine's own clocks

log = logging.getLogger(__name__)


class Recent(StrEnum):
    """The kinds of changes that can make a late write wrong."""

    TIMELINE = "timeline"  # whose posts belong in whose timeline
    TAG = "tag"  # which tags bring posts into whose timeline
    PROFILE = "profile"  # values that relationships copied


SETTLED_BY: dict[str, Callable[[str, str], None]] = {}


def settles(kind: Recent) -> Callable[[Callable[[str, str], None]], Callable[[str, str], None]]:
    """Registers the function that settles a kind of change. It goes by the present state, and may run at any time."""

    def register(function: Callable[[str, str], None]) -> Callable[[str, str], None]:
        SETTLED_BY[kind] = function
        return function

    return register


def remember(change: Change, kind: Recent, subject_id: str, other_id: str = "") -> None:
    """Notes a change, before its handler reads anything: one BatchWriteItem of 1 write unit, with a fixed key."""
    end = change.moment + REMEMBERED_FOR
    noted = RecentChange.new(
        moment=change.moment, kind=kind, subject_id=subject_id, other_id=other_id, ttl=end
    )
    write_batch(puts=[noted])


def in_hand_since(records: Sequence[dict[str, Any]]) -> datetime:
    """Returns the moment after which a worker that starts with these records may not know of changes: the time of the
    first record by the engine's clock, but not much before now by this machine's clock."""
    first = moment_of(records[0]) - SHARDS_DIFFER
    return max(first, utc_now() - CLOCKS_DIFFER)


def settle_since(moment: datetime, *, name: str = "") -> None:
    """Enters the job that settles changes since the moment. Only one job of a name runs at a time. One PutItem."""
    job = Job.new(kind=JobKind.SETTLE, job_id=name or ids.new_id(), subject_id=moment.isoformat())
    with suppress(AlreadyExists):
        create(job)


def settle_suspects(held: HeldLease) -> None:
    """Settles once more what earlier owners may have written late. Forgets dead owners, and all owners once none of
    their requests can be accepted any more. One GetItem, one PutItem, and the cost of the job."""
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
    """Settles the next changes: a Query of each day's partitions until `CHANGES_A_STEP` are found, 1 read unit each or
    more, and for each change the cost of its kind. The cursor is the key of the last change."""
    chunk = list(islice(_changes(_moment(job.subject_id), job.cursor), CHANGES_A_STEP))
    changes = (row(RecentChange, raw) for raw in chunk)
    seen = {(change.kind, change.subject_id, change.other_id) for change in changes}
    for kind, subject_id, other_id in sorted(seen):
        SETTLED_BY[kind](subject_id, other_id)
    more = len(chunk) == CHANGES_A_STEP
    return Step(len(chunk), " ".join(reading.key_of(chunk[-1])) if more else None)


def _changes(since: datetime, cursor: str) -> Iterator[RawItem]:
    """Yields all changes since a moment, after the cursor."""
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

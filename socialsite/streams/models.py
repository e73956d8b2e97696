"""Items of the stream's worker: who works, what was done, what is to be done step by step, what failed."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pynamodb.attributes import (
    JSONAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table import Item, keys


class Lease(Item, discriminator="Lease"):
    """The worker that owns a shard of the stream, and how far its records are applied.

    `epoch` rises with each owner, so that an owner that lost the lease can no longer commit. `checkpoint` is the
    sequence number of the last applied record, empty before the first. `lag` is how many seconds behind the stream the
    owner was at its last beat. `has_gap` says that records were trimmed before they were read. `suspects` are workers
    that lost the lease while frozen and may still write late. Changes since `suspected_since` are corrected again and
    again, until these workers wake and say so, or until `suspected_until`.
    """

    shard_id = UnicodeAttribute()
    owner = UnicodeAttribute(null=True)
    epoch = NumberAttribute(default=0)
    heartbeat = NumberAttribute(default=0)
    checkpoint = UnicodeAttribute(default="")
    is_done = NumberAttribute(default=0)
    lag = NumberAttribute(default=0)
    has_gap = NumberAttribute(default=0)
    beaten_at = UnicodeAttribute(null=True)
    suspects = UnicodeSetAttribute(null=True)
    suspected_since = UnicodeAttribute(null=True)
    suspected_until = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, shard_id: str) -> Self:
        return cls(*keys.lease(shard_id), shard_id=shard_id)


class RecentChange(Item, discriminator="RecentChange"):
    """A change that could make a late write wrong. If a worker wrote late, the state of `kind` between `subject_id` and
    `other_id` is checked again (`socialsite/streams/late_writes.py`). Expires after two days."""

    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    other_id = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls, *, moment: datetime, kind: str, subject_id: str, other_id: str, ttl: datetime
    ) -> Self:
        key = keys.recent_change(moment, kind, subject_id, other_id)
        return cls(*key, kind=kind, subject_id=subject_id, other_id=other_id or None, ttl=ttl)


class JobKind(StrEnum):
    """The purpose of a job. The steps are in the rooms' stream files."""

    FAN_OUT = "fan-out"
    FAN_OUT_REPLY = "fan-out-reply"
    FAN_OUT_TAG = "fan-out-tag"
    CARRY_AUDIENCE = "carry-audience"
    COUNT_STORED = "count-stored"
    CROSS_TO_PULL = "cross-to-pull"
    ERASE = "erase"
    REBUILD = "rebuild"
    REBUILD_TAGS = "rebuild-tags"
    REFRESH = "refresh"
    INDEX_POSTS = "index-posts"
    LIMIT_POSTS = "limit-posts"
    LOOK_FOR_PEOPLE = "look-for-people"
    MERGE_PULLED = "merge-pulled"
    DELETE_POSTS = "delete-posts"
    NOTIFY_OF_POLL = "notify-of-poll"
    NOTIFY_OF_POST = "notify-of-post"
    SETTLE = "settle"
    SETTLE_PHOTOS = "settle-photos"
    SETTLE_THREADS = "settle-threads"
    RECONCILE = "reconcile"
    EXPORT = "export"
    HOLD = "hold"
    END_HOLD = "end-hold"
    WAVE = "wave"
    UNDO_WAVE = "undo-wave"


class Job(Item, discriminator="Job"):
    """Work that is too long for one batch of the stream. It is done in steps, and each step moves `cursor`.

    The stream is its queue: creating the job and moving its cursor make records, and each record starts the next step.
    """

    job_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    author_id = UnicodeAttribute(null=True)
    tag = UnicodeAttribute(null=True)
    audience = UnicodeAttribute(null=True)
    chosen = UnicodeSetAttribute(null=True)
    until = UnicodeAttribute(null=True)
    cursor = UnicodeAttribute(default="")
    done = NumberAttribute(default=0)
    total = NumberAttribute(default=0)
    nudged_at = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, kind: JobKind, job_id: str, subject_id: str, **attributes: Any) -> Self:
        is_own = kind in keys.OWN_JOBS
        key = keys.own_job(subject_id, kind, job_id) if is_own else keys.job(kind, job_id)
        return cls(*key, kind=kind, job_id=job_id, subject_id=subject_id, **attributes)


class DeadLetter(Item, discriminator="DeadLetter"):
    """A stream record that a handler cannot apply: its keys, its ids and the error, but none of its text."""

    shard_id = UnicodeAttribute()
    sequence = UnicodeAttribute()
    event = UnicodeAttribute()
    image = JSONAttribute()
    old_image = JSONAttribute(null=True)
    error = UnicodeAttribute()
    parked_at = UnicodeAttribute()

    @classmethod
    def new(cls, *, shard_id: str, sequence: str, **attributes: Any) -> Self:
        key = keys.dead_letter(shard_id, sequence)
        return cls(*key, shard_id=shard_id, sequence=sequence, **attributes)


class SeenRecord(Item, discriminator="SeenRecord"):
    """A stream record that was applied under Lambda. Expires after the stream has dropped the record."""

    event_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, event_id: str, ttl: datetime) -> Self:
        return cls(*keys.seen_record(event_id), event_id=event_id, ttl=ttl)


# Types of items that older sites wrote: uploaded lists of relationships, with the jobs for them, and the counts
# of posts that met a word filter, which are day counts now and stand where they stood.
#
# The items expire, a week after the upload and 13 weeks after the day. Audit and archive skip them, and the
# worker ends the jobs without a step.

RETIRED_ITEMS = {"Import", "ImportRows", "WordHits"}
RETIRED_JOBS = {"import"}

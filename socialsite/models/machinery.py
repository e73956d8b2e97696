"""Items of the machinery: rate limits, leases of the stream worker, jobs, dead letters, markers and roles."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from pynamodb.attributes import (
    JSONAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table import keys
from socialsite.table.item import Item


class RateLimit(Item, discriminator="RateLimit"):
    """How often something was done in one window of time. Expires with the window.

    `until` is the second before which a try has to wait, where tries are slowed down.
    """

    hits = NumberAttribute()
    until = NumberAttribute(null=True)


class Lease(Item, discriminator="Lease"):
    """Who works on a shard of the stream, and how far its records are applied.

    `epoch` rises with each owner, so that an owner that lost the lease cannot commit any more; `checkpoint` is the
    sequence number of the last applied record, empty before the first. `lag` says how many seconds behind the stream
    the owner was at its last beat, `has_gap` that records were trimmed before they were read. `suspects` are workers
    that were robbed of the lease and may still write what they had in hand when they froze: what changed since
    `suspected_since` is set right again and again, until they say that they woke, or `suspected_until`.
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


class StreamHost(Item, discriminator="StreamHost"):
    """Who works on the stream (`socialsite/streams/leases/host.py`). For Lambda also when it last did, and how many
    seconds behind."""

    host = UnicodeAttribute()
    beaten_at = UnicodeAttribute(null=True)
    lag = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, host: str) -> Self:
        return cls(*keys.stream_host(), host=host)


class RecentChange(Item, discriminator="RecentChange"):
    """That something changed by which a late write would be wrong: what `kind` says of `subject_id` and `other_id` is
    looked at again if a worker wrote late (`socialsite/streams/leases/late_writes.py`). Expires after two days."""

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
    """What a job is for; the steps are in the apps' `stream_handlers/`."""

    FAN_OUT = "fan-out"
    CROSS_TO_PULL = "cross-to-pull"
    REBUILD = "rebuild"
    REFRESH = "refresh"
    SETTLE = "settle"
    RECONCILE = "reconcile"


class Job(Item, discriminator="Job"):
    """Work too long for one batch of the stream: done step by step, each step moving `cursor`.

    The stream is its queue: creating it and moving its cursor are records, and each record is the next step.
    """

    job_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    subject_id = UnicodeAttribute()
    author_id = UnicodeAttribute(null=True)
    cursor = UnicodeAttribute(default="")
    done = NumberAttribute(default=0)
    total = NumberAttribute(default=0)
    nudged_at = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, kind: JobKind, job_id: str, subject_id: str, **attributes: Any) -> Self:
        key = keys.job(kind, job_id)
        return cls(*key, kind=kind, job_id=job_id, subject_id=subject_id, **attributes)


class DeadLetter(Item, discriminator="DeadLetter"):
    """A stream record that a handler cannot apply: its keys and ids and the error, none of the text in it."""

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
    """A stream record that was applied under Lambda. Expires after the stream has forgotten the record."""

    event_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, event_id: str, ttl: datetime) -> Self:
        return cls(*keys.seen_record(event_id), event_id=event_id, ttl=ttl)


class DataState(Item, discriminator="DataState"):
    """What the table's data are: their version, the ids of the keys in use (`socialsite/table/data_state.py`), and how
    far the first start came (`operations/seed/first_start.py`)."""

    version = NumberAttribute()
    key_ids = UnicodeSetAttribute()
    first_start = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, version: int, key_ids: set[str]) -> Self:
        return cls(*keys.data_state(), version=version, key_ids=key_ids)


class RetiredKey(Item, discriminator="RetiredKey"):
    """What is still needed of an earlier `DATA_KEY`, encrypted with the current one
    (`accounts/encryption/retired_keys.py`)."""

    key_id = UnicodeAttribute()
    secrets = UnicodeAttribute()

    @classmethod
    def new(cls, *, key_id: str, secrets: str) -> Self:
        return cls(*keys.retired_key(key_id), key_id=key_id, secrets=secrets)


class Role(Item, discriminator="Role"):
    """A set of permissions that the site made for itself, beside those built in (`accounts/permissions.py`)."""

    name = UnicodeAttribute()
    title = UnicodeAttribute()
    permissions = UnicodeSetAttribute()

    @classmethod
    def new(cls, *, name: str, title: str, permissions: set[str]) -> Self:
        return cls(*keys.role(name), name=name, title=title, permissions=permissions)


class Staff(Item, discriminator="Staff"):
    """Lists a person who has a role, so that nobody is looked for in the whole table; which one their info says."""

    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.staff_member(user_id), user_id=user_id)

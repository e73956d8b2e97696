"""How the stream's worker is doing: what `/readyz` and the staff page show."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import islice

from socialsite.clock import utc_now
from socialsite.models import DeadLetter, Job, JobKind, Lease, StreamHost
from socialsite.streams.leases.host import Host
from socialsite.streams.shards.source import Shard, Stream
from socialsite.table import keys
from socialsite.table.connection import table_name
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, fetch, query
from socialsite.table.row import row

SHOWN_AT_MOST = 50
SILENT_AFTER = 30  # seconds without a beat


@dataclass(frozen=True, slots=True)
class ShardStatus:
    """One shard: its owner, how far behind it is, and whether its owner still beats."""

    shard_id: str
    owner: str
    lag: int
    is_silent: bool
    is_done: bool
    has_gap: bool


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    host: str  # the host of the stream, empty if there never was one
    lag_of_lambda: int
    shards: list[ShardStatus]
    unowned: int  # shards that no worker ever took, though they could be read; a new one for some seconds
    jobs: list[Job]
    dead_letters: list[DeadLetter]

    @property
    def lag(self) -> int:
        if self.host == Host.LAMBDA:
            return self.lag_of_lambda
        return max((shard.lag for shard in self.shards if not shard.is_done), default=0)

    @property
    def is_working(self) -> bool:
        """Whether every open shard has a working owner. Always true for Lambda, which is silent while nothing changes:
        use Amazon's alarm on the iterator's age (docs/deploy.md)."""
        if self.host == Host.LAMBDA:
            return True
        open_shards = [shard for shard in self.shards if not shard.is_done]
        is_silent = any(shard.is_silent for shard in open_shards)
        return bool(open_shards) and not is_silent and not self.unowned

    @property
    def has_gap(self) -> bool:
        return any(shard.has_gap for shard in self.shards)


@access_pattern
def read_worker_status() -> WorkerStatus:
    """Returns the leases of all shards, open jobs and dead letters (at most 50 of each).

    One BatchGetItem of leases, one Query of dead letters and one of each kind of job. DescribeStream only once a
    minute, because it is slow on large tables.
    """
    minute = int(time.time()) // 60
    listed = _listed_shards(table_name(), minute)
    found = fetch([keys.stream_host(), *(keys.lease(shard.shard_id) for shard in listed)])
    host = row(StreamHost, found.pop(keys.stream_host(), {}))
    shards = [_shard(as_model(Lease, raw)) for raw in found.values()]
    jobs = [job for kind in JobKind for job in _jobs(kind)]
    return WorkerStatus(
        host=host.host,
        lag_of_lambda=int(host.lag),
        shards=shards,
        unowned=_count_unowned(listed, shards),
        jobs=jobs,
        dead_letters=list_dead_letters(),
    )


def list_dead_letters(limit: int = SHOWN_AT_MOST) -> list[DeadLetter]:
    rows = query(keys.dead_letters(), limit=limit)
    return [as_model(DeadLetter, raw) for raw in islice(rows, limit)]


@lru_cache(4)
def _listed_shards(table: str, minute: int) -> tuple[Shard, ...]:
    return tuple(Stream().shards())


def _count_unowned(listed: Sequence[Shard], leased: Sequence[ShardStatus]) -> int:
    """Returns how many shards could be read, and have no lease. One whose parent is not read to its end waits for
    that."""
    known = {shard.shard_id for shard in listed}
    done = {shard.shard_id: shard.is_done for shard in leased}
    return sum(
        shard.shard_id not in done
        and (shard.parent_id not in known or done.get(str(shard.parent_id), False))
        for shard in listed
    )


def _jobs(kind: str) -> list[Job]:
    rows = query(keys.jobs(kind), limit=SHOWN_AT_MOST)
    return [as_model(Job, raw) for raw in islice(rows, SHOWN_AT_MOST)]


def _shard(lease: Lease) -> ShardStatus:
    beaten = datetime.fromisoformat(lease.beaten_at) if lease.beaten_at else None
    silent = beaten is None or (utc_now() - beaten).total_seconds() > SILENT_AFTER
    return ShardStatus(
        shard_id=lease.shard_id,
        owner=lease.owner or "",
        lag=int(lease.lag),
        is_silent=silent or not lease.owner,
        is_done=bool(lease.is_done),
        has_gap=bool(lease.has_gap),
    )

"""How the stream's worker is doing: what `/readyz` and the staff page show."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import chain, islice

from socialsite.clock import utc_now
from socialsite.due.models import PushHost, StreamHost
from socialsite.process_state import kept_by_process
from socialsite.streams.hosts import Host
from socialsite.streams.models import DeadLetter, Job, JobKind, Lease
from socialsite.streams.shards import Shard, Stream
from socialsite.table import access_pattern, as_model, fetch, keys, query, row
from socialsite.table.connection import table_name
from socialsite.table.reading import query_all
from socialsite.table.transport.requests import query_request

SHOWN_AT_MOST = 50
SILENT_AFTER = 30  # seconds without a beat
CLOCK_SILENT_AFTER = 60  # a function on a schedule of a minute looks for 45 s of it
BEHIND_AFTER = 20  # seconds without a beat, after which what is left to do counts as waiting


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
class ClockStatus:
    """Whether any clock beats, and how many seconds late the oldest due work may be."""

    is_working: bool
    lag: int


@dataclass(frozen=True, slots=True)
class PusherStatus:
    """Whether a pusher may send now, and how many seconds late the oldest push may be: by as much as at its last beat,
    and for as long as it is silent."""

    is_working: bool
    lag: int


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    host: str  # the host of the stream, empty if there never was one
    lag_of_lambda: int
    shards: list[ShardStatus]
    unowned: int  # shards that no worker ever took, though they could be read; a new one for some seconds
    dead_letters: list[DeadLetter]
    clock: ClockStatus
    pusher: PusherStatus | None = None  # None where none has ever sent
    letters_fail: int = 0  # for how many seconds no letter has gone out, though some were tried

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
    """Returns the leases of all shards, the dead letters (at most 50), and how clock and pusher are.

    One BatchGetItem of hosts and leases, one Query of dead letters: 0.5 read units for each shard and 1.5.
    DescribeStream only once a minute, because it is slow on large tables.
    """
    minute = int(time.time()) // 60
    listed = _listed_shards(table_name(), minute)
    hosts = [keys.stream_host(), keys.push_host()]
    found = fetch([*hosts, *(keys.lease(shard.shard_id) for shard in listed)])
    host, pusher = row(StreamHost, found.pop(hosts[0], {})), found.pop(hosts[1], None)
    shards = [_shard(as_model(Lease, raw)) for raw in found.values()]
    return WorkerStatus(
        host=host.host,
        lag_of_lambda=int(host.lag),
        shards=shards,
        unowned=_count_unowned(listed, shards),
        dead_letters=list_dead_letters(),
        clock=_clock(host.clock_beaten_at, int(host.clock_lag)),
        pusher=_pusher(row(PushHost, pusher)) if pusher else None,
        letters_fail=int(_since(host.letters_fail_since) or 0),
    )


def list_dead_letters(limit: int = SHOWN_AT_MOST) -> list[DeadLetter]:
    rows = query(keys.dead_letters(), limit=limit)
    return [as_model(DeadLetter, raw) for raw in islice(rows, limit)]


@access_pattern
def list_jobs() -> list[Job]:
    """Returns the open jobs of every kind, at most 50 of each partition, without those in people's own
    partitions, which take a moment. One Query for each of 26 kinds, and of the 16 shards of 4 of them, 0.5 read units
    each, 45 in all."""
    return [job for kind in JobKind for job in _jobs(kind)]


@lru_cache(4)
def _listed_shards(table: str, minute: int) -> tuple[Shard, ...]:
    return tuple(Stream().shards())


kept_by_process(_listed_shards.cache_clear)


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
    requests = [query_request(one, limit=SHOWN_AT_MOST) for one in keys.job_partitions(kind)]
    rows = chain.from_iterable(query_all(requests))
    return [as_model(Job, raw) for raw in islice(rows, SHOWN_AT_MOST)]


def _shard(lease: Lease) -> ShardStatus:
    since = _since(lease.beaten_at)
    return ShardStatus(
        shard_id=lease.shard_id,
        owner=lease.owner or "",
        lag=_lag(int(lease.lag), since),
        is_silent=since is None or since > SILENT_AFTER or not lease.owner,
        is_done=bool(lease.is_done),
        has_gap=bool(lease.has_gap),
    )


def _clock(beaten_at: str | None, lag: int) -> ClockStatus:
    since = _since(beaten_at)
    is_working = since is not None and since <= CLOCK_SILENT_AFTER
    return ClockStatus(is_working=is_working, lag=_lag(lag, since))


def _pusher(host: PushHost) -> PusherStatus:
    silent = max(_since(host.until) or 0, 0)  # for longer than it may be
    return PusherStatus(is_working=silent <= SILENT_AFTER, lag=_lag(int(host.lag), silent))


def _since(beaten_at: str | None) -> float | None:
    """Returns the seconds since a beat, None if there never was one."""
    if not beaten_at:
        return None
    return (utc_now() - datetime.fromisoformat(beaten_at)).total_seconds()


def _lag(at_the_beat: int, since: float | None) -> int:
    """Returns how far behind something may be by now: as far as at its last beat, and for as long as it is silent."""
    return at_the_beat + (int(since) if since and since > BEHIND_AFTER else 0)

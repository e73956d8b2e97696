"""A lease with an epoch decides which worker owns a shard.

An owner beats. A worker that sees no beat for `STEAL_AFTER` seconds of its own clock takes the lease and raises the
epoch, and then the old owner's commits fail (`ledger.py`). Clocks decide only when to try, never who may commit. On one
machine the process id shows at once that an owner is dead, so a restart does not wait.

Before each write the owner makes sure that it beat within `BEAT_EVERY` (`HeldLease.keep`, called by
`socialsite/table/actions.py`). So a call without delay ends before anyone can take the lease. The owner's clock runs on
while the machine sleeps. A waiting worker's clock does not, because an owner on the same machine slept too.
`late_writes.py` corrects what a delayed call may still write.
"""

import os
import socket
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from pynamodb.expressions.update import Action

from socialsite.clock import utc_now
from socialsite.streams.models import Lease
from socialsite.table import (
    AlreadyExists,
    Check,
    Create,
    NotFound,
    access_pattern,
    change,
    get,
    ids,
    keys,
    transact,
)
from socialsite.table.actions import Fence
from socialsite.table.errors import Fenced

BEAT_EVERY = 4.0  # seconds; with the longest that a call may take, 5, it ends before STEAL_AFTER
STEAL_AFTER = 10.0
DONE_KEPT_FOR = timedelta(days=7)  # the stream lists a shard for a day
LOOKS = 10  # seconds before a waiting worker takes the lease of a silent owner
SUSPECTED_FOR = timedelta(minutes=15)  # Amazon accepts no request that was signed longer ago
CLOCK = getattr(
    time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC
)  # macOS's monotonic clock counts sleep


class NotOurs(Fenced):
    """Another worker took the lease."""


@dataclass(slots=True)
class HeldLease:
    """A lease that this worker holds. `checkpoint` is where its last commit left it."""

    shard_id: str
    epoch: int
    checkpoint: str
    beat: int
    beaten_at: float
    lag: float = 0  # seconds behind the stream, as the worker last saw it
    is_suspicious: bool = False  # whether an earlier owner may write late
    _beating: threading.Lock = field(default_factory=threading.Lock)

    @access_pattern
    def keep(self) -> None:
        """Beats if it is time. Raises `NotOurs`. One UpdateItem every 4 seconds, 1 write unit, however many threads
        ask."""
        with self._beating:
            now = seconds_since_boot()
            if now - self.beaten_at < BEAT_EVERY:
                return
            self.beat += 1
            self._update(
                Lease.heartbeat.set(self.beat),
                Lease.lag.set(round(self.lag)),
                Lease.beaten_at.set(_now()),
            )
            self.beaten_at = now

    def fence(self) -> Fence:
        """Returns the fence that every write of this owner must pass."""
        held = Check(keys.lease(self.shard_id), Lease.epoch == self.epoch, otherwise=NotOurs)
        return Fence(self.keep, held)

    @access_pattern
    def note_gap(self) -> None:
        """Notes that records were trimmed unread. One UpdateItem, 1 write unit. Counts may be wrong until the job is
        done (`shards.py`)."""
        self._update(Lease.has_gap.set(1))

    @access_pattern
    def suspicion(self) -> Lease | None:
        """Returns the lease if an earlier owner may still write late, otherwise None. One consistent GetItem, 1 read
        unit."""
        lease = get(Lease, keys.lease(self.shard_id), consistent=True)
        self.is_suspicious = bool(lease.suspects)
        return lease if self.is_suspicious else None

    @access_pattern
    def give_up(self) -> None:
        """Frees the shard, so that the next worker takes over at once. One UpdateItem, 1 write unit."""
        self._update(Lease.owner.remove())

    @access_pattern
    def finish(self) -> None:
        """Notes that the closed shard is read to its end, so that its children can begin. One UpdateItem, 1 write unit.
        The lease expires long after the stream has dropped the shard."""
        self._update(Lease.is_done.set(1), Lease.ttl.set(utc_now() + DONE_KEPT_FOR))

    def _update(self, *actions: Action) -> None:
        change(
            Lease,
            keys.lease(self.shard_id),
            actions,
            condition=Lease.epoch == self.epoch,
            otherwise=NotOurs,
        )


class LeaseWatch:
    """Watches the lease of one shard until this worker can take it."""

    def __init__(self, shard_id: str, worker_id: str) -> None:
        self.shard_id = shard_id
        self.worker_id = worker_id
        self.seen: tuple[int, int] | None = None
        self.since = time.monotonic()
        self.is_done = False
        self._looked_at = float("-inf")

    @access_pattern
    def try_take(self) -> HeldLease | None:
        """Takes the lease of a shard that is free or whose owner is gone, and returns it. At most once a second one
        consistent GetItem, 1 read unit, and one UpdateItem, 1 write unit.

        Afterwards `is_done` says whether the shard has been read to its end.
        """
        if self.is_done or time.monotonic() - self._looked_at < STEAL_AFTER / LOOKS:
            return None
        lease = self._read_or_create()
        self.is_done = bool(lease.is_done)
        if lease.is_done or not self._is_free(lease):
            self._looked_at = time.monotonic()
            return None
        epoch = int(lease.epoch)
        now = seconds_since_boot()
        try:
            change(
                Lease,
                keys.lease(self.shard_id),
                [
                    Lease.owner.set(self.worker_id),
                    Lease.epoch.set(epoch + 1),
                    Lease.beaten_at.set(_now()),
                    *self._suspicion(lease),
                ],
                condition=(Lease.epoch == epoch) & (Lease.heartbeat == lease.heartbeat),
                otherwise=NotOurs,
            )
        except NotOurs:
            return None
        held = HeldLease(self.shard_id, epoch + 1, lease.checkpoint, int(lease.heartbeat), now)
        held.is_suspicious = bool(lease.suspects) or self._is_robbed(lease)
        return held

    def _is_robbed(self, lease: Lease) -> bool:
        return bool(lease.owner) and lease.owner != self.worker_id

    def _suspicion(self, lease: Lease) -> list[Action]:
        """Notes that the owner who loses the lease may be frozen in the middle of a write. Dead owners of before make
        room for it: whatever they sent is settled with what came after `suspected_since`."""
        if not self._is_robbed(lease):
            return []
        living = {one for one in lease.suspects or () if not owner_is_dead(one)}
        until = (utc_now() + SUSPECTED_FOR).isoformat(timespec="seconds")
        earlier = lease.suspected_since if lease.suspects else None  # else that is over
        since = earlier or lease.beaten_at or _now()
        return [
            Lease.suspects.set(living | {lease.owner}),
            Lease.suspected_since.set(since),
            Lease.suspected_until.set(until),
        ]

    def _read_or_create(self) -> Lease:
        key = keys.lease(self.shard_id)
        try:
            return get(Lease, key, consistent=True)
        except NotFound:
            lease = Lease.new(shard_id=self.shard_id)
            try:
                transact(Create(lease))
            except AlreadyExists:
                return get(Lease, key, consistent=True)
            return lease

    def _is_free(self, lease: Lease) -> bool:
        beat = int(lease.epoch), int(lease.heartbeat)
        if beat != self.seen:
            self.seen, self.since = beat, time.monotonic()
        if not lease.owner or lease.owner == self.worker_id or owner_is_dead(lease.owner):
            return True
        return time.monotonic() - self.since > STEAL_AFTER


def acquit(shard_id: str, workers: set[str]) -> None:
    """Notes that these workers have no writes left that could come late."""
    with suppress(NotFound):  # the lease expired long ago
        change(Lease, keys.lease(shard_id), [Lease.suspects.delete(workers)])


def is_done(shard_id: str) -> bool:
    """Whether a shard is read to its end."""
    try:
        return bool(get(Lease, keys.lease(shard_id), consistent=True).is_done)
    except NotFound:
        return False


def new_worker_id() -> str:
    return f"{socket.gethostname()}:{os.getpid()}:{ids.new_id()}"


def owner_is_dead(worker_id: str) -> bool:
    """Whether the owner was a process of this machine that has ended. If in doubt, it counts as alive."""
    host, pid, _ = worker_id.rsplit(":", 2)
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def seconds_since_boot() -> float:
    """Returns the time of a clock that runs on while the machine sleeps."""
    return time.clock_gettime(CLOCK)


def _now() -> str:
    return utc_now().isoformat(timespec="seconds")

"""A worker's place in a shard that it holds, and the commit of what it has read."""

import time
from dataclasses import dataclass, field
from datetime import datetime

from socialsite.streams.leases.lease import HeldLease
from socialsite.streams.ledger import CheckpointProof, Ledger
from socialsite.streams.traces import commit_traced
from socialsite.web.observing.spending import WORKER, spent_among

COMMIT_AFTER_SKIPPED = 10_000  # records without effects
COMMIT_AFTER_SECONDS = 60.0


@dataclass(slots=True)
class Reader:
    """`position` is the last record seen. The lease's checkpoint is the last one committed."""

    lease: HeldLease
    iterator: str | None
    position: str
    skipped: int = 0
    committed_at: float = field(default_factory=time.monotonic)
    applying_since: datetime | None = None  # set while uncommitted records are in hand
    settled_at: float = field(default_factory=time.monotonic)

    @property
    def shard_id(self) -> str:
        return self.lease.shard_id

    @property
    def is_due(self) -> bool:
        """Whether the checkpoint should move although no record had an effect."""
        waited = time.monotonic() - self.committed_at
        return self.skipped > COMMIT_AFTER_SKIPPED or (
            self.skipped > 0 and waited > COMMIT_AFTER_SECONDS
        )

    def commit(self, ledger: Ledger) -> None:
        """Writes the ledger and moves the checkpoint to where the reader stands. Raises `LeaseLost`."""
        lease = self.lease
        proof = CheckpointProof(lease.shard_id, lease.epoch, lease.checkpoint, self.position)
        with (
            commit_traced(lease, self.position, self.skipped),
            spent_among(WORKER, ledger.lines),
        ):
            ledger.commit(proof)
        lease.checkpoint = self.position
        self.skipped = 0
        self.committed_at = time.monotonic()

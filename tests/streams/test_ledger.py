"""The ledger's commit: its proof and its lines together, or nothing."""

import pytest

from socialsite.models import Job, JobKind, Lease
from socialsite.streams.ledger import CheckpointProof, LeaseLost, Ledger
from socialsite.streams.worker import Worker
from socialsite.table import keys
from socialsite.table.reading import get
from socialsite.table.writing import create


@pytest.fixture
def lease(table) -> Lease:
    """The lease of the only shard, held by a worker."""
    worker = Worker()
    worker.drain()
    return get(Lease, keys.lease(worker.shards[0].shard_id), consistent=True)


@pytest.fixture
def same_job(lease) -> Ledger:
    """A ledger with a job that is there already, just as it would be created."""
    job = Job.new(kind=JobKind.FAN_OUT, job_id="j", subject_id="s")
    create(job)
    ledger = Ledger()
    ledger.create(job)
    return ledger


def proof(lease: Lease, *, epoch: int = 0) -> CheckpointProof:
    return CheckpointProof(lease.shard_id, int(lease.epoch) + epoch, lease.checkpoint, "999999")


def checkpoint(lease: Lease) -> str:
    return get(Lease, keys.lease(lease.shard_id), consistent=True).checkpoint


def test_a_worker_that_lost_its_lease_is_told_so_even_if_the_same_job_is_there(lease, same_job):
    with pytest.raises(LeaseLost):
        same_job.commit(proof(lease, epoch=-1))
    assert checkpoint(lease) == lease.checkpoint


def test_a_job_that_is_there_already_does_not_hold_the_checkpoint_back(lease, same_job):
    same_job.commit(proof(lease))
    assert checkpoint(lease) == "999999"


def test_a_commit_that_is_repeated_is_refused(lease):
    Ledger().commit(proof(lease))
    with pytest.raises(LeaseLost):
        Ledger().commit(proof(lease))

"""The ledger's commit: its proof and its lines together, or nothing."""

from dataclasses import dataclass

import pytest

from socialsite.streams.ledger import (
    PLANNED_AT_MOST,
    CheckpointProof,
    LeaseLost,
    Ledger,
    PlanMoved,
)
from socialsite.streams.models import Job, JobKind, Lease
from socialsite.streams.worker import Worker
from socialsite.table import Check, create, get, keys


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


@dataclass
class Stubborn:
    """A plan whose condition never holds, as if others changed the item each time."""

    lines: int = 0
    made: int = 0

    @property
    def size(self) -> int:
        return self.lines

    def merge(self, other: "Stubborn") -> None:
        self.lines += other.lines

    def actions(self) -> list[Check]:
        self.made += 1
        return [Check(keys.bell("nobody"), otherwise=PlanMoved)]


class Broken(Stubborn):
    def actions(self) -> list[Check]:
        raise ZeroDivisionError


@pytest.mark.parametrize("plan", [Stubborn, Broken])
def test_a_plan_that_cannot_be_written_does_not_hold_the_stream_up(lease, same_job, plan):
    same_job.enter(plan(1))
    same_job.commit(proof(lease))
    assert checkpoint(lease) == "999999"


def test_a_plan_is_made_again_as_long_as_others_change_what_it_depends_on(lease):
    ledger = Ledger()
    ledger.enter(Stubborn(1))
    ledger.commit(proof(lease))
    (plan,) = ledger.plans.values()
    assert plan.made == PLANNED_AT_MOST


def test_plans_of_several_records_are_one_and_fill_the_ledger(lease):
    ledger = Ledger(most_lines=5)
    for _ in range(2):
        ledger.enter(Stubborn(2))
    assert not ledger.is_full
    record = Ledger()
    record.enter(Stubborn(2))
    ledger.merge(record)
    assert ledger.is_full
    assert len(ledger.plans) == 1

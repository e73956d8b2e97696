"""How the worker is doing, as `/readyz` tells it: lag, silence, jobs, dead letters, gaps."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from socialsite.models import Job, JobKind, Lease
from socialsite.streams.shards.source import Shard, Stream
from socialsite.streams.status import SILENT_AFTER, _listed_shards, read_worker_status
from socialsite.streams.worker import Worker
from socialsite.table import keys
from socialsite.table.writing import change, create, write_batch
from tests.conftest import post
from tests.streams.lambda_events import broken_post


@pytest.fixture
def worker(table) -> Worker:
    """A worker that has taken the lease and beaten."""
    made = Worker()
    made.step()
    beat(made)
    return made


def beat(worker: Worker, *, seconds_ago: float = 0) -> None:
    moment = datetime.now(UTC) - timedelta(seconds=seconds_ago)
    set_lease(worker, Lease.beaten_at.set(moment.isoformat(timespec="seconds")))


def set_lease(worker: Worker, *actions: Any) -> None:
    change(Lease, keys.lease(worker.shards[0].shard_id), actions)


def readyz() -> dict[str, Any]:
    response = Client().get("/readyz")
    assert response.status_code == 200
    answer: dict[str, Any] = response.json()
    return answer


def test_all_is_well(worker):
    assert readyz() == {
        "status": "ok",
        "worker": {
            "working": True,
            "lag_seconds": 0,
            "jobs": 0,
            "dead_letters": 0,
            "gap": False,
        },
    }


def test_a_worker_that_has_just_begun_is_working(table):
    Worker().step()
    assert read_worker_status().is_working


def test_without_a_worker_the_site_is_degraded_and_still_there(table):
    answer = readyz()
    assert (answer["status"], answer["worker"]["working"]) == ("degraded", False)


def test_a_worker_without_a_beat_for_long_is_silent(worker):
    beat(worker, seconds_ago=SILENT_AFTER - 5)
    assert read_worker_status().is_working
    beat(worker, seconds_ago=SILENT_AFTER + 5)
    assert (readyz()["status"], read_worker_status().is_working) == ("degraded", False)


def test_a_worker_that_gave_up_is_not_working(worker):
    worker.give_up()
    assert not read_worker_status().is_working


def stream_has(monkeypatch, *more: Shard) -> None:
    """The stream has the shard of the worker, and these."""
    (own,) = Stream().shards()
    monkeypatch.setattr(Stream, "shards", lambda _: [own, *more])
    _listed_shards.cache_clear()


def test_a_shard_that_no_worker_holds_is_seen(worker, monkeypatch):
    stream_has(monkeypatch, Shard("shardId-other", None))
    answer = readyz()
    assert (answer["status"], answer["worker"]["working"]) == ("degraded", False)


def test_a_shard_that_waits_for_its_parent_needs_no_worker_yet(worker, monkeypatch):
    own = worker.shards[0].shard_id
    stream_has(monkeypatch, Shard("shardId-child", own))
    assert readyz()["worker"]["working"]


@pytest.mark.parametrize(("lag", "status"), [(599, "ok"), (601, "degraded")])
def test_how_far_behind_it_is_is_told(worker, lag, status):
    set_lease(worker, Lease.lag.set(lag))
    assert (readyz()["status"], readyz()["worker"]["lag_seconds"]) == (status, lag)


def test_the_lag_of_a_finished_shard_does_not_count(worker):
    set_lease(worker, Lease.lag.set(10_000), Lease.is_done.set(1))
    assert read_worker_status().lag == 0


def test_open_jobs_of_every_kind_are_counted(worker):
    for kind in JobKind:
        create(Job.new(kind=kind, job_id="j", subject_id="s"))
    assert readyz()["worker"]["jobs"] == len(JobKind)


def test_dead_letters_are_counted_and_degrade(alice, carol, worker):
    post(alice)
    write_batch(puts=[broken_post(carol)])
    worker.drain()
    answer = readyz()
    assert (answer["status"], answer["worker"]["dead_letters"]) == ("degraded", 1)


def test_a_gap_is_told_until_it_is_mended(worker):
    next(iter(worker.readers.values())).lease.note_gap()
    answer = readyz()
    assert (answer["status"], answer["worker"]["gap"]) == ("degraded", True)


def test_a_look_costs_few_calls_whatever_there_is(worker, measure):
    read_worker_status()
    with measure() as meter:
        read_worker_status()
    assert len(meter.calls) <= 2 + len(JobKind)

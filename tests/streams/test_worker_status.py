"""How worker and clock are doing, as `/readyz` and `/metrics` tell it: lag, silence, dead letters, gaps, the disk."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from socialsite.clock import utc_now
from socialsite.due.clock import beat_of_clock
from socialsite.due.models import PushHost, StreamHost
from socialsite.engine import running
from socialsite.process_state import reset_process_state
from socialsite.streams.models import Job, JobKind, Lease
from socialsite.streams.shards import Shard, Stream
from socialsite.streams.status import CLOCK_SILENT_AFTER, SILENT_AFTER, read_worker_status
from socialsite.streams.worker import Worker
from socialsite.table import Moved, Upsert, change, create, keys, transact, write_batch
from tests.conftest import post
from tests.streams.records import broken_post


@pytest.fixture
def worker(table) -> Worker:
    """A worker that has taken the lease and beaten, beside a clock."""
    made = Worker()
    made.step()
    beat(made)
    beat_of_clock(0)
    return made


def beat(worker: Worker, *, seconds_ago: float = 0) -> None:
    moment = datetime.now(UTC) - timedelta(seconds=seconds_ago)
    set_lease(worker, Lease.beaten_at.set(moment.isoformat(timespec="seconds")))


def set_lease(worker: Worker, *actions: Any) -> None:
    change(Lease, keys.lease(worker.shards[0].shard_id), actions)


def beat_of_the_clock(*, seconds_ago: float, lag: int = 0) -> None:
    moment = datetime.now(UTC) - timedelta(seconds=seconds_ago)
    beaten = StreamHost.clock_beaten_at.set(moment.isoformat(timespec="seconds"))
    change(StreamHost, keys.stream_host(), [beaten, StreamHost.clock_lag.set(lag)])


def metric(name: str) -> float:
    lines = Client().get("/metrics").content.decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


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
            "dead_letters": 0,
            "gap": False,
        },
        "clock": {"working": True, "lag_seconds": 0},
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
    reset_process_state()


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


def test_the_lag_rises_while_nobody_reads(worker):
    set_lease(worker, Lease.lag.set(5))
    beat(worker, seconds_ago=700)
    answer = readyz()
    assert (answer["status"], answer["worker"]["lag_seconds"] >= 705) == ("degraded", True)
    assert metric("worker_lag_seconds") >= 705
    worker.give_up()
    assert readyz()["worker"]["lag_seconds"] >= 705


def test_a_site_whose_clock_never_ran_is_degraded(table):
    worker = Worker()
    worker.step()
    beat(worker)
    answer = readyz()
    assert (answer["worker"]["working"], answer["clock"]["working"]) == (True, False)
    assert answer["status"] == "degraded"
    assert metric("clock_up") == 0


def test_a_clock_that_stands_is_told_and_how_late_due_work_may_be_by_now(worker):
    beat_of_the_clock(seconds_ago=CLOCK_SILENT_AFTER - 10)
    assert readyz()["clock"]["working"] is True
    beat_of_the_clock(seconds_ago=CLOCK_SILENT_AFTER + 10, lag=30)
    answer = readyz()
    assert (answer["status"], answer["clock"]["working"]) == ("degraded", False)
    assert answer["clock"]["lag_seconds"] >= CLOCK_SILENT_AFTER + 40
    assert (metric("clock_up"), metric("worker_up")) == (0, 1)
    assert metric("clock_lag_seconds") >= CLOCK_SILENT_AFTER + 40


def test_a_clock_that_works_and_is_far_behind_degrades(worker):
    beat_of_the_clock(seconds_ago=0, lag=601)
    answer = readyz()
    assert (answer["status"], answer["clock"]) == (
        "degraded",
        {"working": True, "lag_seconds": 601},
    )


def test_a_full_disk_is_told_at_once(worker, monkeypatch):
    assert "disk" not in readyz()
    assert metric("data_disk_free_bytes") > running.LEAST_FREE
    monkeypatch.setattr(running, "LEAST_FREE", 1 << 62)
    answer = readyz()
    assert (answer["status"], answer["disk"]) == ("degraded", "full")


def test_steps_of_jobs_are_counted(worker):
    create(Job.new(kind=JobKind.REBUILD, job_id="j", subject_id="s"))
    worker.drain()
    steps = 'worker_job_steps_total{kind="rebuild"}'
    assert metric(steps) >= 1


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


@pytest.mark.parametrize("path", ["/readyz", "/metrics"])
def test_a_look_costs_three_calls_at_most_whatever_there_is(worker, measure, path):
    for kind in JobKind:
        create(Job.new(kind=kind, job_id="j", subject_id="s"))
    for at_most in (20, 3):  # shards, cases, sign-ups are looked up once a minute
        with measure() as meter:
            assert Client().get(path).status_code == 200
        assert len(meter.calls) <= at_most, meter.calls
    assert meter.read_units <= 2


def beat_of_pusher(*, until_in: float, lag: int = 0) -> None:
    until = PushHost.until.set((utc_now() + timedelta(seconds=until_in)).isoformat())
    actions = [PushHost.owner.set("o"), PushHost.public.set("p"), until, PushHost.lag.set(lag)]
    transact(Upsert(PushHost, keys.push_host(), actions, PushHost.pk != "", otherwise=Moved))


def test_a_pusher_that_stands_is_told_and_how_late_pushes_may_be_by_now(worker):
    beat_of_pusher(until_in=20, lag=3)
    assert readyz()["pusher"] == {"working": True, "lag_seconds": 3}
    assert readyz()["status"] == "ok"
    beat_of_pusher(until_in=-SILENT_AFTER - 5, lag=3)
    answer = readyz()
    assert (answer["status"], answer["pusher"]["working"]) == ("degraded", False)
    assert answer["pusher"]["lag_seconds"] >= SILENT_AFTER + 8
    assert (metric("pusher_up"), metric("worker_up")) == (0, 1)


def test_a_site_where_nothing_was_ever_pushed_has_no_pusher_to_miss(worker):
    assert "pusher" not in readyz()
    assert "pusher_up" not in Client().get("/metrics").content.decode()

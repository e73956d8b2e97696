"""Work that waits for a time: done when it is due, by one process at a time, and never lost."""

import threading
import time
from datetime import datetime, timedelta

import pytest

from socialsite.clock import utc_now
from socialsite.due import clock, work
from socialsite.due.clock import BEAT_EVERY, Beats
from socialsite.due.models import Due
from socialsite.due.work import (
    AlreadyDone,
    cancel,
    claim_due,
    do_due,
    done,
    due_work,
    plan,
)
from socialsite.streams.hosts import Host, claim_stream
from socialsite.streams.status import ClockStatus, read_worker_status
from socialsite.table import AlreadyExists, Unavailable, keys, transact
from tests.looks import due_items
from tests.together import together

NOW = utc_now()
LATER = NOW + timedelta(hours=1)


@pytest.fixture
def heard(monkeypatch, table) -> list[Due]:
    """What the work of kind "ring" was done for."""
    done_for: list[Due] = []
    monkeypatch.setattr(work, "WORK", {})
    due_work("ring")(done_for.append)
    return done_for


def ring(subject: str = "alice", *, moment: datetime = NOW, **facts: str) -> None:
    transact(plan("ring", moment=moment, subject=subject, **facts))


def test_work_is_done_when_its_moment_has_come_and_not_before(heard):
    ring(moment=LATER, why="tea")
    assert do_due(LATER - timedelta(seconds=1)) == 0
    assert do_due(LATER) == 1
    assert [(due.subject, due.facts) for due in heard] == [("alice", {"why": "tea"})]
    assert due_items() == []


def test_the_oldest_of_a_shard_is_done_first_and_all_of_them(heard):
    for minute in reversed(range(60)):
        ring(f"{minute}", moment=NOW + timedelta(minutes=minute))
    assert do_due(NOW + timedelta(hours=2)) == 60
    for shard in range(keys.DUE_SHARDS):
        mine = [
            int(d.subject) for d in heard if keys.due(NOW, "ring", d.subject).pk[-1] == f"{shard}"
        ]
        assert mine == sorted(mine)


def test_the_same_work_is_planned_once(heard):
    ring()
    with pytest.raises(AlreadyExists):
        ring(moment=NOW, why="another transaction")


def test_work_that_is_taken_back_is_not_done(heard):
    ring(moment=LATER)
    transact(cancel("ring", moment=LATER, subject="alice"))
    assert do_due(LATER) == 0
    assert heard == []


def test_work_that_fails_comes_again_later_and_later(heard, monkeypatch):
    def fail(due: Due) -> None:
        raise ValueError(due.tries)

    monkeypatch.setitem(work.WORK, "ring", fail)
    ring()
    moment, waits = NOW, []
    for _ in range(8):
        assert do_due(moment) == 1
        assert do_due(moment) == 0
        [waiting] = due_items()
        next_try = datetime.fromisoformat(waiting.moment)
        waits.append(int((next_try - moment).total_seconds()) // 60)
        moment = next_try
    assert waits == [1, 5, 30, 120, 480, 1440, 1440, 1440]
    due_work("ring")(heard.append)
    do_due(moment)
    assert [int(due.tries) for due in heard] == [9]
    assert due_items() == []


def test_work_whose_process_died_comes_again(heard):
    ring()
    [due] = due_items()
    claim_due(due, NOW)  # and nothing more
    assert do_due(NOW) == 0
    assert do_due(NOW + timedelta(minutes=1)) == 1
    assert len(heard) == 1


def test_work_that_a_clock_found_while_it_was_ahead_waits_once_it_is_set_right(heard, monkeypatch):
    """As the seed 2029.44 of the simulation had it, whose clock was an hour ahead."""
    ring("early")
    ring("late", moment=LATER)
    listed, asked = work.list_due, set()

    def list_ahead(shard: int, moment: datetime) -> list[Due]:
        first = shard not in asked
        asked.add(shard)
        return listed(shard, LATER if first else moment)

    monkeypatch.setattr(work, "list_due", list_ahead)
    assert do_due() == 1
    assert [due.subject for due in heard] == ["early"]
    assert [due.subject for due in due_items()] == ["late"]


def test_work_that_plans_its_next_part_for_now_is_done_once_a_look(heard, monkeypatch):
    """Or nothing else would be done until it is over, and no process could stop meanwhile."""

    def ring_on(due: Due) -> None:
        heard.append(due)
        ring(moment=utc_now())

    monkeypatch.setitem(work.WORK, "ring", ring_on)
    ring()
    assert [do_due(), do_due()] == [1, 1]
    assert len(heard) == 2


def test_failing_work_holds_nothing_else_up(heard, monkeypatch):
    def fail(due: Due) -> None:
        raise Unavailable("the mail server is away")

    monkeypatch.setitem(work.WORK, "fails", fail)
    for number in range(10):
        transact(plan("fails", moment=NOW - timedelta(days=1), subject=f"{number}"))
        ring(f"{number}")
    do_due(NOW)
    assert len(heard) == 10
    assert len(due_items()) == 10


@pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto does transactions one after another"
)
def test_processes_that_look_at_once_do_it_once(heard):
    for number in range(20):
        ring(f"{number}")
    together(*[lambda: do_due(NOW)] * 4)
    assert sorted(int(due.subject) for due in heard) == list(range(20))
    assert due_items() == []


def test_work_that_ends_in_its_own_transaction_is_done_by_one_process_alone(heard):
    ring()
    [due] = due_items()
    claimed = claim_due(due, NOW)
    transact(done(claimed))
    with pytest.raises(AlreadyDone):
        transact(done(claimed), may_be_own=False)
    assert due_items() == []


@pytest.mark.engines("embedded", reason="units are measured there")
def test_looking_when_nothing_is_due_costs_half_a_unit_a_shard(heard, measure):
    for number in range(40):
        ring(f"{number}", moment=LATER)
    with measure() as cost:
        do_due(NOW)
    assert (len(cost.calls), cost.read_units) == (keys.DUE_SHARDS, 0.5 * keys.DUE_SHARDS)


def test_the_clock_beats_once_a_while_and_says_how_late_the_oldest_work_was(heard):
    claim_stream(Host.WORKER)
    for minutes in (1, 20):
        ring(f"{minutes}", moment=utc_now() - timedelta(minutes=minutes))
    beats = Beats(beaten_at=time.monotonic())
    do_due(beat=beats)
    assert not clock_status().is_working  # it is not time yet
    beats.beaten_at -= BEAT_EVERY
    do_due(beat=beats)
    assert (clock_status().is_working, clock_status().lag >= 1200) == (True, True)
    beats.beaten_at -= BEAT_EVERY
    do_due(beat=beats)
    assert clock_status().lag == 0  # nothing was found since


def test_work_is_done_where_the_clock_cannot_beat(heard):
    """Nobody has begun to read the stream."""
    ring()
    assert do_due(beat=Beats()) == 1
    assert len(heard) == 1


def clock_status() -> ClockStatus:
    return read_worker_status().clock


def test_the_stream_wakes_the_clock_for_what_is_due_at_once_alone(heard, drain_stream):
    clock.woken.clear()
    ring(moment=utc_now() + timedelta(hours=1))
    drain_stream()
    assert not clock.woken.is_set()
    ring(moment=utc_now())
    drain_stream()
    assert clock.woken.is_set()


def test_the_clock_does_what_is_due_and_stops(heard):
    stop, rung = threading.Event(), threading.Event()
    due_work("ring")(lambda due: rung.set())
    ring()
    thread = clock.start_clock(stop)
    try:
        assert rung.wait(60)
    finally:
        stop.set()
        thread.join(60)
    assert not thread.is_alive()

"""The lease of a shard: it is beaten, watched, taken from the silent and the dead, and given up."""

import os
import socket
from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest

from socialsite.clock import utc_now
from socialsite.streams import leases
from socialsite.streams.leases import (
    BEAT_EVERY,
    DONE_KEPT_FOR,
    LOOKS,
    STEAL_AFTER,
    SUSPECTED_FOR,
    HeldLease,
    LeaseWatch,
    NotOurs,
    acquit,
    is_done,
    new_worker_id,
    owner_is_dead,
    seconds_since_boot,
)
from socialsite.streams.models import Lease
from socialsite.table import NotFound, change, create, fetch, get, keys
from tests.feed.conftest import listen

SHARD = "shard"
KEY = keys.lease(SHARD)
ME, ELSEWHERE = "here:1:me", "another-host:1:x"
A_MINUTE = timedelta(minutes=1)
LATELY = "2026-11-02T03:04:05+00:00"
DEAD = f"{socket.gethostname()}:{2**22 + 1}:x"  # no process has so high a number


def there(**attributes):
    create(Lease(*KEY, shard_id=SHARD, **{"epoch": 3, "heartbeat": 7, **attributes}))


def now():
    return get(Lease, KEY, consistent=True)


def set_lease(*actions):
    change(Lease, KEY, actions)


def is_near(moment, passed=timedelta()):
    """Whether this is a text of the moment that is so far from now."""
    is_whole = moment == f"{moment[:19]}+00:00"
    return is_whole and abs(datetime.fromisoformat(moment) - passed - utc_now()) < A_MINUTE


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands: since the process began, and since the machine did."""
    clock = SimpleNamespace(monotonic=lambda: clock.at, clock_gettime=lambda of: clock.boot)
    clock.at, clock.boot = 1000.0, 5000.0
    monkeypatch.setattr(leases, "time", clock)
    return clock


@pytest.fixture
def held(table, clock):
    there()
    return HeldLease(SHARD, 3, "10", 7, clock.boot)


# An owner.


def test_a_call_that_follows_a_beat_ends_before_anyone_takes_the_lease():
    longest_call = 5
    assert BEAT_EVERY == 4
    assert BEAT_EVERY + longest_call < STEAL_AFTER == 10


def test_an_owner_beats_when_it_is_time_and_not_before(held, clock):
    assert held.lag == 0
    held.lag = 2.6
    clock.boot += BEAT_EVERY - 0.1
    held.keep()
    assert (now().heartbeat, held.beat) == (7, 7)
    clock.boot += 0.1
    held.keep()
    held.keep()
    stored = now()
    assert (stored.heartbeat, held.beat, stored.lag) == (8, 8, 3)
    assert is_near(stored.beaten_at)
    assert held.beaten_at == clock.boot


WRITES = {
    "a beat": lambda held: held.keep(),
    "a gap": lambda held: held.note_gap(),
    "giving up": lambda held: held.give_up(),
    "the end": lambda held: held.finish(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_an_owner_that_lost_its_lease_writes_nothing_more_into_it(held, clock, write):
    set_lease(Lease.epoch.set(4))
    clock.boot += BEAT_EVERY
    before = now().serialize()
    with pytest.raises(NotOurs):
        write(held)
    assert now().serialize() == before


def test_what_an_owner_notes_in_its_lease(held):
    set_lease(Lease.owner.set(ME))
    held.note_gap()
    assert now().has_gap == 1
    held.finish()
    stored = now()
    assert (stored.is_done, is_done(SHARD)) == (1, True)
    assert abs(stored.ttl - DONE_KEPT_FOR - utc_now()) < A_MINUTE
    assert timedelta(days=7) == DONE_KEPT_FOR
    held.give_up()
    assert now().owner is None


def test_a_fence_beats_and_holds_the_epoch(held):
    fence = held.fence()
    assert fence.check == held.keep
    assert (fence.proof.key, fence.proof.otherwise) == (KEY, NotOurs)
    assert fence.proof.condition == (Lease.epoch == 3)


def test_an_owner_is_told_of_those_who_may_write_late(held):
    with listen() as requests:
        assert held.suspicion() is None
    assert all(made.is_consistent for made in requests.made)
    assert held.is_suspicious is False
    set_lease(Lease.suspects.set({ELSEWHERE}))
    assert held.suspicion().suspects == {ELSEWHERE}
    assert held.is_suspicious is True
    acquit(SHARD, {ELSEWHERE, "nobody"})
    assert held.suspicion() is None
    assert held.is_suspicious is False


def test_suspects_are_acquitted_one_by_one_and_where_nothing_is_left_too(table):
    acquit("gone", {ME})
    assert fetch([keys.lease("gone")]) == {}
    there(suspects={ME, ELSEWHERE})
    acquit(SHARD, {ME})
    assert now().suspects == {ELSEWHERE}


# Who takes it.


def test_the_first_who_looks_makes_the_lease_and_has_it(table, clock):
    watch = LeaseWatch(SHARD, ME)
    assert (watch.seen, watch.since, watch.is_done) == (None, clock.at, False)
    with listen() as requests:
        held = watch.try_take()
    assert held == HeldLease(SHARD, 1, "", 0, clock.boot, _beating=held._beating)
    assert [made.operation for made in requests.made] == [
        "GetItem", "TransactWriteItems", "UpdateItem"
    ]  # fmt: skip
    assert requests.made[0].is_consistent
    stored = now()
    assert (stored.owner, stored.epoch, stored.suspects) == (ME, 1, None)
    assert is_near(stored.beaten_at)
    assert watch.is_done is False


def test_a_lease_is_taken_as_its_last_owner_left_it(table, clock):
    there(checkpoint="10")
    held = LeaseWatch(SHARD, ME).try_take()
    assert held == HeldLease(SHARD, 4, "10", 7, clock.boot, _beating=held._beating)


def test_two_who_make_the_lease_at_once_go_on_with_one(table, monkeypatch):
    there(checkpoint="10")
    reads = []

    def late(model, key, *, consistent):
        reads.append(consistent)
        if len(reads) == 1:
            raise NotFound
        return get(model, key, consistent=consistent)

    monkeypatch.setattr(leases, "get", late)
    assert LeaseWatch(SHARD, ME).try_take().checkpoint == "10"
    assert reads == [True, True]


@pytest.mark.parametrize("moved", [Lease.epoch.add(1), Lease.heartbeat.add(1)])
def test_who_comes_second_takes_nothing(table, monkeypatch, moved):
    there()
    seen = now()
    monkeypatch.setattr(leases, "get", lambda *of, **more: seen)
    set_lease(moved)
    assert LeaseWatch(SHARD, ME).try_take() is None
    assert now().owner is None


def test_a_shard_that_is_read_to_its_end_is_taken_by_nobody_and_asked_for_once(
    table, clock, measure
):
    there(is_done=1)
    watch = LeaseWatch(SHARD, ME)
    with measure() as meter:
        assert watch.try_take() is None
        clock.at += STEAL_AFTER
        assert watch.try_take() is None
    assert watch.is_done is True
    assert len(meter.calls) == 1
    assert now().owner is None


def test_a_shard_is_at_its_end_when_its_lease_says_so(table):
    assert is_done(SHARD) is False
    there()
    with listen() as requests:
        assert is_done(SHARD) is False
    assert all(made.is_consistent for made in requests.made)


def test_a_waiting_worker_looks_ten_times_before_it_takes_a_silent_owners_lease(
    table, clock, measure
):
    there(owner=ELSEWHERE)
    watch = LeaseWatch(SHARD, ME)
    assert watch.try_take() is None
    for passed, calls in ((0, 0), (0.9, 0), (0.1, 1), (0.9, 0)):
        clock.at += passed
        with measure() as meter:
            assert watch.try_take() is None
        assert len(meter.calls) == calls
    assert STEAL_AFTER / LOOKS == 1


def test_a_lease_is_taken_of_an_owner_that_was_silent_for_long_enough(table, clock):
    there(owner=ELSEWHERE)
    watch = LeaseWatch(SHARD, ME)
    clock.at += 100  # before it looked for the first time
    assert watch.try_take() is None
    clock.at += STEAL_AFTER - 1
    set_lease(Lease.heartbeat.add(1))
    assert watch.try_take() is None
    clock.at += STEAL_AFTER
    assert watch.try_take() is None
    set_lease(Lease.epoch.add(1))
    clock.at += STEAL_AFTER
    assert watch.try_take() is None
    clock.at += STEAL_AFTER + 0.1
    assert watch.try_take().epoch == 5
    assert now().owner == ME


@pytest.mark.parametrize("owner", [None, ME, DEAD])
def test_a_lease_without_a_living_owner_is_taken_at_once(table, clock, owner):
    there(owner=owner)
    assert LeaseWatch(SHARD, ME).try_take() is not None
    assert now().owner == ME


# Which worker is suspected.


@pytest.mark.parametrize(
    ("owner", "suspects", "stored"),
    [
        (None, None, None),
        (ME, None, None),
        (None, {ELSEWHERE}, {ELSEWHERE}),
        (ME, {ELSEWHERE}, {ELSEWHERE}),
        (DEAD, None, {DEAD}),
        (DEAD, {ELSEWHERE, DEAD[:-1] + "y"}, {DEAD, ELSEWHERE}),
    ],
)
def test_who_loses_a_lease_is_suspected_with_those_before_who_may_live(
    table, owner, suspects, stored
):
    there(owner=owner, suspects=suspects)
    held = LeaseWatch(SHARD, ME).try_take()
    assert now().suspects == stored
    assert held.is_suspicious == bool(stored)


@pytest.mark.parametrize(
    ("attributes", "since"),
    [
        ({"beaten_at": LATELY}, LATELY),
        ({"beaten_at": LATELY, "suspected_since": "before"}, LATELY),
        ({"beaten_at": LATELY, "suspected_since": "before", "suspects": {ELSEWHERE}}, "before"),
        ({"beaten_at": LATELY, "suspects": {ELSEWHERE}}, LATELY),
        ({}, None),
    ],
)
def test_a_suspicion_reaches_back_to_the_first_who_may_have_frozen(table, attributes, since):
    there(owner=DEAD, **attributes)
    LeaseWatch(SHARD, ME).try_take()
    stored = now()
    assert stored.suspected_since == since if since else is_near(stored.suspected_since)
    assert is_near(stored.suspected_until, SUSPECTED_FOR)
    assert timedelta(minutes=15) == SUSPECTED_FOR


# Workers and clocks.


def test_a_worker_is_named_by_its_machine_its_process_and_chance():
    host, pid, drawn = new_worker_id().split(":")
    assert (host, int(pid)) == (socket.gethostname(), os.getpid())
    assert drawn != new_worker_id().split(":")[2]


def test_only_a_process_of_this_machine_that_ended_is_known_to_be_dead(monkeypatch):
    def refuse(pid, signal):
        raise PermissionError

    assert owner_is_dead(DEAD)
    assert not owner_is_dead(new_worker_id())
    assert not owner_is_dead(DEAD.replace(socket.gethostname(), "another-host"))
    monkeypatch.setattr(os, "kill", refuse)
    assert not owner_is_dead(DEAD)


def test_a_process_is_only_asked_whether_it_is_there(monkeypatch):
    asked = []
    monkeypatch.setattr(os, "kill", lambda *of: asked.append(of))
    assert not owner_is_dead(f"{socket.gethostname()}:12:x")
    assert asked == [(12, 0)]


def test_the_name_of_a_machine_may_have_colons(monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "fe80::1")
    assert owner_is_dead(f"fe80::1:{2**22 + 1}:x")


def test_an_owners_clock_runs_on_while_the_machine_sleeps(monkeypatch):
    asked = []
    monkeypatch.setattr(leases.time, "clock_gettime", lambda of: asked.append(of) or 12.5)
    assert seconds_since_boot() == 12.5
    assert asked == [getattr(leases.time, "CLOCK_BOOTTIME", leases.time.CLOCK_MONOTONIC)]

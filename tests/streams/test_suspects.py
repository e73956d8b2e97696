"""When a lease is taken, its last owner is suspected of late writes, and so are those before who may still live."""

import socket

import pytest

from socialsite.streams.leases import LeaseWatch
from socialsite.streams.models import Lease
from socialsite.table import change, create, get, keys

SHARD = "shard-1"
LONG_AGO, LATELY = "2026-01-02T03:04:05+00:00", "2026-11-02T03:04:05+00:00"
ELSEWHERE = "another-host:1:x"


def dead(number: int) -> str:
    """A worker of this machine whose process has ended: no process has so high a number."""
    return f"{socket.gethostname()}:{2**22 + number}:x"


@pytest.fixture
def lease(table) -> None:
    """The lease of a dead owner, who was suspected of nothing yet."""
    create(Lease.new(shard_id=SHARD))
    owned = [Lease.owner.set(dead(0)), Lease.beaten_at.set(LATELY)]
    change(Lease, keys.lease(SHARD), owned)


def taken() -> Lease:
    assert LeaseWatch(SHARD, "me:1:x").try_take()
    return get(Lease, keys.lease(SHARD), consistent=True)


def test_the_dead_make_room_and_what_they_sent_stays_to_be_settled(lease):
    suspects = {ELSEWHERE, *map(dead, range(1, 300))}
    suspected = [Lease.suspects.set(suspects), Lease.suspected_since.set(LONG_AGO)]
    change(Lease, keys.lease(SHARD), suspected)
    now = taken()
    assert now.suspects == {ELSEWHERE, dead(0)}
    assert now.suspected_since == LONG_AGO


def test_a_suspicion_that_is_over_is_not_taken_up_again(lease):
    change(Lease, keys.lease(SHARD), [Lease.suspected_since.set(LONG_AGO)])
    now = taken()
    assert now.suspects == {dead(0)}
    assert now.suspected_since == LATELY

"""A worker that stood still past its lease asks for it again before each write, also in the middle of a record."""

import pytest

from accounts.models import HandleClaim
from socialsite.streams.leases import BEAT_EVERY, HeldLease, LeaseWatch, NotOurs
from socialsite.streams.models import Lease
from socialsite.table import NotFound, change, get, keys, write_batch
from socialsite.table.fence import fenced

ITEM = HandleClaim.new(handle="late", user_id="late")


@pytest.fixture
def held(table: str) -> HeldLease:
    lease = LeaseWatch("shard", "ant:1:ant").try_take()
    assert lease is not None
    return lease


def stand_still(held: HeldLease) -> None:
    held.beaten_at -= BEAT_EVERY + 1


def test_the_owner_writes(held):
    stand_still(held)
    with fenced(held.fence()):
        write_batch(puts=[ITEM])
    assert get(HandleClaim, ITEM.key).user_id == "late"


def test_an_owner_whose_lease_was_taken_writes_no_batch(held):
    """A batch has no condition that could refuse it."""
    stand_still(held)
    change(Lease, keys.lease("shard"), [Lease.epoch.add(1)])
    with fenced(held.fence()), pytest.raises(NotOurs):
        write_batch(puts=[ITEM])
    with pytest.raises(NotFound):
        get(HandleClaim, ITEM.key)

"""Everything in the table is counted once, by type, with the bytes that Amazon bills."""

from collections import Counter

import pytest

from costs import stream_handlers
from costs.stored import (
    OVERHEAD,
    AlreadyCounting,
    add_items,
    count_stored,
    counted_so_far,
    get_stored,
)
from moderation.audit_log.reads import list_audit_entries
from relations.friends.writes import request_friend
from socialsite.clock import utc_now
from socialsite.streams.worker import Worker
from socialsite.table import item_size
from socialsite.table.reading import scan
from tests.conftest import post

MACHINERY = {"Lease", "Job", "StoredCount", "AuditHead", "AuditEntry"}


def test_a_count_has_every_item_in_however_many_steps(admin, alice, bob, monkeypatch):
    for _ in range(5):
        post(alice)
    request_friend(by=alice, user_id=bob.user_id)
    monkeypatch.setattr(stream_handlers, "ITEMS_A_STEP", 7)
    worker = Worker()
    worker.drain()
    items = Counter(raw["type"]["S"] for raw in scan())
    sizes: Counter[str] = Counter()
    for raw in scan():
        sizes[raw["type"]["S"]] += item_size(raw) + OVERHEAD
    assert (get_stored(), counted_so_far()) == (None, None)
    count_stored(by=admin)
    assert counted_so_far() == 0
    worker.drain()
    stored = get_stored()
    assert stored is not None
    assert counted_so_far() is None
    counted = {one.name: (one.items, one.size) for one in stored.types}
    for name in items.keys() - MACHINERY:
        assert counted[name] == (items[name], sizes[name]), name
    assert stored.people == 3
    assert [one.total for one in stored.types] == sorted(
        (one.total for one in stored.types), reverse=True
    )
    in_indexes = {one.name for one in stored.types if one.in_indexes}
    assert in_indexes == {"Relation"}


def test_an_item_in_an_index_is_stored_there_once_more():
    raw = {"PK": {"S": "a"}, "SK": {"S": "b"}, "type": {"S": "Case"}}
    listed = {**raw, "escalated_to": {"S": "queue"}, "escalated_at": {"S": "now"}}
    half = {**raw, "escalated_to": {"S": "queue"}}
    size = item_size(listed) + OVERHEAD
    assert add_items({}, [listed]) == {"Case": [1, size, size]}
    assert add_items({"Case": [1, size, size]}, [half])["Case"][2] == size


def test_one_count_at_a_time_and_each_is_in_the_audit_log(admin, table):
    count_stored(by=admin)
    with pytest.raises(AlreadyCounting):
        count_stored(by=admin)
    worker = Worker()
    worker.drain()
    count_stored(by=admin)
    entries = list_audit_entries(utc_now().isoformat()[:7]).items
    assert ["everything in the table" in entry.sentence for entry in entries] == [True, True]

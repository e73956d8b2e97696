"""No copy of a reported photo stays without its case, and none is missing, whatever was interrupted."""

from datetime import timedelta

from feed.publishing.writes import delete_post
from moderation.cases import photos
from moderation.cases.photos import NIGHTS, sweep_copies
from operations.reconcile import reconcile_page
from photos.files import keep_copy
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import keys, query, write_batch
from socialsite.table.reading import scan
from tests.looks import broken_invariants
from tests.moderation.cases import report
from tests.moderation.reported_photos import (
    case_photos,
    copies,
    expire,
    reported_photos,
    source_of,
    states,
)


def test_the_sweep_deletes_what_no_case_names_and_nothing_else(alice, carol, bob, drain_stream):
    reported_photos(alice, bob)
    reported_photos(bob, alice)
    drain_stream()
    (one,) = (one for one in case_photos() if one.person_id == bob.user_id)
    earlier = f"{one.photo_id}.{one.version}.{'z' * 22}"
    lost = f"{'0' * 26}.{one.version}.{'y' * 22}"
    for name in (earlier, lost):
        keep_copy(source_of(one), bob.user_id, name)
    assert len(broken_invariants()["no file of a reported photo is without its item"]) == 2
    assert sweep_copies(bob.user_id) == 2
    assert sweep_copies(bob.user_id) == 0
    assert (copies(bob), copies(alice)) == (1, 1)
    assert broken_invariants() == {}


def test_a_report_plans_one_sweep_a_night(alice, carol, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    report(carol, bob, post_id)
    planned = [
        raw
        for shard in range(keys.DUE_SHARDS)
        for raw in query(keys.due_shard(shard))
        if raw["kind"]["S"] == "sweep-evidence"
    ]
    assert len(planned) == 1
    drain_stream()
    expire(bob)  # and the record of the removal is lost
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert copies(bob) == 0


def test_a_sweep_of_photos_leaves_copies_alone(alice, bob, drain_stream):
    post_id = reported_photos(alice, bob)
    drain_stream()
    delete_post(by=bob, post_id=post_id)
    drain_stream()
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert copies(bob) == 1


def test_a_copy_whose_record_was_lost_is_made_when_the_table_is_mended(alice, bob):
    reported_photos(alice, bob)
    for _ in range(2):
        list(reconcile_page(list(scan()), begun="2026"))
    assert (states(), copies(bob)) == (["kept"], 1)


def test_the_audit_sees_a_missing_copy_and_a_photo_without_its_post(alice, bob, drain_stream):
    reported_photos(alice, bob)
    drain_stream()
    (one,) = case_photos()
    photos.forget_copy(one)
    version = next(raw for raw in scan() if raw["type"]["S"] == "CaseEvidence")
    write_batch(deletes=[keys.Key(version["PK"]["S"], version["SK"]["S"])])
    assert sorted(broken_invariants()) == [
        "every reported photo belongs to a post or a profile that was kept",
        "every reported photo that was kept has its file",
    ]

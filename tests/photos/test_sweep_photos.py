"""No file stays without its photo, whatever was interrupted: the sweep, the expiry, the audit and the erasure."""

from datetime import timedelta

import pytest

from photos import writes
from photos.checks import PhotoInvariants
from photos.files import NAMES, PUBLIC, Place, copy_files, delete_files, save_files
from photos.models import Photo
from photos.reads import get_photos
from photos.writes import (
    KEPT_UNUSED,
    NIGHTS,
    attach,
    delete_photo,
    make_public,
    private_place,
    sweep_photos,
)
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.table import Item, Unavailable, change, ids, keys, query, transact
from socialsite.table.reading import scan
from tests.photos.conftest import files_in


def broken() -> list[str]:
    invariants = PhotoInvariants()
    for raw in scan():
        invariants.add(Item.from_raw_data(raw))
    return [f"{name}: {one}" for name, found in invariants.results().items() for one in found]


def planned() -> int:
    return sum(
        raw["kind"]["S"] == "sweep-photos"
        for shard in range(keys.DUE_SHARDS)
        for raw in query(keys.due_shard(shard))
    )


def test_a_sweep_is_planned_once_a_night_before_any_file_is_written(alice, upload):
    upload(alice)
    make_public(upload(alice))
    assert planned() == 1
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert planned() == 0


def test_the_sweep_deletes_what_no_photo_names_and_nothing_else(alice, bob, upload, folder):
    photo = upload(alice)
    public = make_public(photo)
    other = upload(bob)
    kept = files_in(folder)
    lost = Place(alice.user_id, ids.new_id(), "private", "y" * 22)
    earlier = Place(alice.user_id, photo.photo_id, PUBLIC, "z" * 22)
    for place in (lost, earlier):
        save_files(place, dict.fromkeys(NAMES, b"x"))
    assert len(broken()) == 2
    assert sweep_photos(alice.user_id) == 2
    assert sweep_photos(alice.user_id) == 0
    assert files_in(folder) == kept
    assert {photo.secret, public, other.secret} <= {name.split("/")[1] for name in kept}
    assert broken() == []


def test_a_copy_that_was_interrupted_is_found(alice, upload, folder, drain_stream, monkeypatch):
    photo = upload(alice)

    def copy_for_a_photo_that_goes(source, target) -> None:
        copy_files(source, target)
        transact(delete_photo(alice.user_id, photo.photo_id))
        drain_stream()
        save_files(target, dict.fromkeys(NAMES, b"late"))
        raise Unavailable("the process was killed")

    monkeypatch.setattr(writes, "copy_files", copy_for_a_photo_that_goes)
    with pytest.raises(Unavailable):
        make_public(photo)
    assert files_in(folder) != []
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert files_in(folder) == []


def test_the_audit_sees_missing_files_and_a_used_photo_that_would_expire(alice, upload):
    photo, used = upload(alice), upload(alice)
    transact(attach(by=alice, photo_id=used.photo_id, post_id=ids.new_id()))
    assert broken() == []
    delete_files(private_place(photo))
    change(Photo, used.key, [Photo.ttl.set(utc_now() + KEPT_UNUSED)])
    assert [one.partition(":")[0] for one in broken()] == [
        "every photo has its files",
        "a photo is in a post, or held by a draft, or expires",
    ]


def test_an_unused_photo_expires_with_its_files(alice, upload, folder, drain_stream):
    photo = upload(alice)
    change(Photo, photo.key, [Photo.ttl.set(utc_now() - timedelta(seconds=1))])
    assert get_photos(alice, [photo.photo_id]) == []
    transact(delete_photo(alice.user_id, photo.photo_id))  # as DynamoDB does some time later
    drain_stream()
    assert files_in(folder) == []

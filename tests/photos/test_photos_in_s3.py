"""With a bucket for photos, files go there and come from there, through the site alone."""

from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from feed.publishing.changes import change_audience
from photos import writes
from photos.files import NAMES, PUBLIC, STORAGE, Place, save_files
from photos.reads import get_photos, list_album, picture_url
from photos.writes import NIGHTS, delete_photo, keep, make_public
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.worker import bulk_load
from socialsite.table import ids, transact
from tests.accounts.pictures import camera_jpeg
from tests.buckets import objects
from tests.feed.photographs import post_photos
from tests.iam.test_handlers_elsewhere import play_by_lambda
from tests.injected.denied import denied_bucket
from tests.operations.commands.test_reconcile import applied
from tests.privacy.exporting import export_of

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE)


def send(browser, **form: str) -> None:
    picture = SimpleUploadedFile("me.jpg", camera_jpeg())
    assert browser.post("/photos", {"photo": picture} | form).status_code == 302


def test_files_are_in_the_bucket_and_shown_through_the_site(alice, log_in, bucket):
    browser = log_in(alice)
    send(browser)
    (photo,) = list_album(alice).items
    assert len(objects(bucket)) == len(NAMES) + 1
    url = picture_url(photo.secret, 480, viewer_id=alice.user_id)
    assert browser.get(url).status_code == 200
    public = make_public(photo)
    assert Client().get(picture_url(public, 960)).status_code == 200
    assert Client().get(picture_url("x" * 22, 960)).status_code == 404


def test_what_the_bucket_will_not_say_is_not_there(alice, log_in, bucket):
    send(log_in(alice))
    (photo,) = list_album(alice).items
    public = make_public(photo)
    with denied_bucket(storages[STORAGE]):
        assert Client().get(picture_url(public, 960)).status_code == 404


@pytest.mark.parametrize("played_by", ["worker", "lambda", "command"])
def test_files_go_with_the_photo(alice, log_in, bucket, drain_stream, played_by):
    send(log_in(alice))
    (photo,) = list_album(alice).items
    make_public(photo)
    transact(delete_photo(alice.user_id, photo.photo_id))
    command = lambda: call_command("reconcile")  # noqa: E731
    {"worker": drain_stream, "lambda": play_by_lambda, "command": command}[played_by]()
    assert objects(bucket) == []


def test_files_of_a_photo_that_was_deleted_while_it_came_go_at_once(
    alice, log_in, bucket, monkeypatch
):
    photo_id = ids.new_id()
    save = writes.save_files

    def save_and_lose(place, files) -> None:
        save(place, files)
        transact(delete_photo(alice.user_id, photo_id))

    monkeypatch.setattr(writes, "save_files", save_and_lose)
    picture = SimpleUploadedFile("me.jpg", camera_jpeg())
    answer = log_in(alice).post("/photos", {"photo": picture, "photo_id": photo_id})
    assert answer.status_code == 404
    assert objects(bucket) == []
    assert get_photos(alice, [photo_id]) == []


def test_the_sweep_lists_the_bucket(alice, log_in, bucket, drain_stream):
    send(log_in(alice))
    (photo,) = list_album(alice).items
    save_files(Place(alice.user_id, ids.new_id(), PUBLIC, "x" * 22), dict.fromkeys(NAMES, b"x"))
    transact(keep(photo, holder="draft"))
    do_due(utc_now() + timedelta(days=NIGHTS + 1))
    assert len(objects(bucket)) == len(NAMES) + 1


def test_an_audit_lists_the_bucket_and_an_export_reads_it(alice, log_in, bucket, drain_stream):
    browser = log_in(alice)
    send(browser, description="The way home")
    (photo,) = list_album(alice).items
    drain_stream()
    call_command("audit")
    unpacked = export_of(alice, drain_stream, browser)
    (exported,) = unpacked.items("photos")
    assert exported["description"] == "The way home"
    assert unpacked.bytes(exported["file"]).startswith(b"RIFF")
    assert exported["file"] == f"media/photos/{photo.photo_id}.webp"


@pytest.mark.parametrize("played_by", ["worker", "lambda"])
def test_a_post_that_is_opened_gets_its_copy_in_the_bucket(alice, bucket, drain_stream, played_by):
    post_id = post_photos(alice, audience="friends")
    change_audience(by=alice, post_id=post_id, audience="")
    {"worker": drain_stream, "lambda": play_by_lambda}[played_by]()
    (photo,) = list_album(alice).items
    assert Client().get(picture_url(photo.public_secret, 960)).status_code == 200
    assert len(objects(bucket)) == 2 * (len(NAMES) + 1)


def test_a_reconcile_makes_the_copy_that_a_lost_record_left_out(alice, bucket):
    post_id = post_photos(alice, audience="friends")
    applied()
    with bulk_load():
        change_audience(by=alice, post_id=post_id, audience="")
    call_command("reconcile")
    (photo,) = list_album(alice).items
    assert photo.public_secret
    assert len(objects(bucket)) == 2 * (len(NAMES) + 1)

"""Files move with their site, between folders and buckets."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from operations.moving.files import copy_files, foreign_files, measure_files
from operations.moving.place import Place
from tests.buckets import objects, s3

pytestmark = pytest.mark.engines("embedded", reason="no engine is asked")

PHOTO = "private/01j/a.webp"


def nobody(_: int) -> None:
    """Looks at no progress."""


@pytest.fixture
def place(old, nowhere) -> Place:
    storages["photos"].save(PHOTO, ContentFile(b"a photo"))
    storages["archive"].save("archive/date=2026-11-01/1.json", ContentFile(b"{}"))
    storages["default"].save("avatars/a.webp", ContentFile(b"a face"))
    return nowhere.place


@pytest.fixture
def bucket(place, in_bucket: Callable[..., str], settings) -> tuple[Place, str]:
    """A place whose photos are in a bucket, while here they are in a folder."""
    here = settings.STORAGES
    name = in_bucket("photos")
    backends = {**place.backends, "photos": settings.STORAGES["photos"]}
    settings.STORAGES = here
    return replace(place, backends=backends), name


def content(place: Place, storage: str, name: str) -> bytes:
    with place.files[storage].open(name) as file:
        return file.read()


def test_all_files_go_along_and_a_second_time_none(place):
    done = copy_files(place, on_files=nobody)
    assert (done.count, done.copied) == (3, 3)
    assert content(place, "photos", PHOTO) == b"a photo"
    assert content(place, "archive", "archive/date=2026-11-01/1.json") == b"{}"
    assert content(place, "default", "avatars/a.webp") == b"a face"
    assert copy_files(place, on_files=nobody).changes == 0


def test_only_the_archive_itself_goes_and_nothing_else_of_the_data_folder(place, old):
    (old.data_dir / "data_key.txt").write_text("a secret")
    copy_files(place, on_files=nobody)
    assert not (place.data_dir / "data_key.txt").exists()


def test_the_rest_of_a_copy_that_broke_off_is_replaced(place):
    copy_files(place, on_files=nobody)
    (place.data_dir / "photos" / PHOTO).write_bytes(b"a ph")
    assert copy_files(place, on_files=nobody).copied == 1
    assert content(place, "photos", PHOTO) == b"a photo"


def test_what_is_deleted_here_is_deleted_there(place):
    copy_files(place, on_files=nobody)
    storages["photos"].delete(PHOTO)
    assert copy_files(place, on_files=nobody).deleted == 1
    assert not place.files["photos"].exists(PHOTO)


def test_a_folder_goes_into_a_bucket(bucket):
    place, name = bucket
    assert measure_files(place).into_buckets == 1
    copy_files(place, on_files=nobody)
    assert objects(name) == [PHOTO]
    assert content(place, "photos", PHOTO) == b"a photo"
    assert copy_files(place, on_files=nobody).changes == 0


def test_a_bucket_comes_back_into_a_folder(bucket, settings, place):
    there, name = bucket
    settings.STORAGES = {**settings.STORAGES, "photos": there.backends["photos"]}
    s3().put_object(Bucket=name, Key=PHOTO, Body=b"from the bucket")
    copy_files(place, on_files=nobody)
    assert content(place, "photos", PHOTO) == b"from the bucket"


def test_files_of_something_else_are_named(bucket):
    place, name = bucket
    s3().put_object(Bucket=name, Key="holiday.jpg", Body=b"mine")
    assert foreign_files(place) == ["photos: holiday.jpg"]

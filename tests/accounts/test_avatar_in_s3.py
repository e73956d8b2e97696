"""With a bucket set, pictures live in S3 and pages point there."""

from collections.abc import Iterator

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.people.reads import get_user_info
from socialsite.process_state import reset_process_state
from tests.accounts.pictures import camera_jpeg
from tests.buckets import objects, s3
from tests.injected.denied import denied_bucket

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket, settings) -> Iterator[str]:
    name = in_bucket("default", querystring_auth=False)
    settings.MEDIA_BUCKET = name
    reset_process_state()
    yield name
    reset_process_state()


def upload(browser, **fields):
    picture = SimpleUploadedFile("me.jpg", camera_jpeg())
    return browser.post("/settings/profile", {"name": "Alice", "avatar": picture} | fields)


def test_a_picture_is_stored_in_the_bucket_and_shown_from_there(alice, log_in, bucket):
    browser = log_in(alice)
    assert upload(browser).status_code == 302
    (name,) = objects(bucket)
    address = get_user_info(alice.user_id).avatar_url
    assert address.startswith("https://")
    assert address.endswith(name)
    assert address in browser.get("/@alice").content.decode()


def test_the_picture_before_is_deleted_from_the_bucket(alice, log_in, bucket):
    browser = log_in(alice)
    upload(browser)
    old = objects(bucket)
    upload(browser)
    assert len(objects(bucket)) == 1
    assert objects(bucket) != old
    browser.post("/settings/profile", {"name": "Alice", "remove_avatar": "on"})
    assert objects(bucket) == []


def test_a_header_picture_is_two_objects_of_the_bucket_and_goes_from_there(alice, log_in, bucket):
    browser = log_in(alice)
    wide = SimpleUploadedFile("wide.jpg", camera_jpeg())
    assert upload(browser, avatar="", header=wide).status_code == 302
    large, small = objects(bucket)
    page = browser.get("/@alice").content.decode()
    assert f"{large} 1500w" in page
    assert f"{small} 750w" in page
    upload(browser, avatar="", remove_header="on")
    assert objects(bucket) == []


def test_while_the_bucket_cannot_answer_a_picture_is_for_later(alice, log_in, bucket):
    s3().delete_bucket(Bucket=bucket)
    response = upload(log_in(alice))
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert not get_user_info(alice.user_id).avatar_url


def test_a_site_that_may_not_write_to_the_bucket_says_when_to_come_back(alice, log_in, bucket):
    with denied_bucket(default_storage):
        response = upload(log_in(alice))
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert not get_user_info(alice.user_id).avatar_url


def test_a_site_that_may_not_delete_keeps_the_old_file_and_shows_the_new_one(
    alice, log_in, bucket, caplog
):
    browser = log_in(alice)
    upload(browser)
    with denied_bucket(default_storage):
        answer = browser.post("/settings/profile", {"name": "Alice", "remove_avatar": "on"})
    assert answer.status_code == 302
    assert not get_user_info(alice.user_id).avatar_url
    assert "when calling the DeleteObject operation: Access Denied" in caplog.text

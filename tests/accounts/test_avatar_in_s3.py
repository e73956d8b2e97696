"""With a bucket set, pictures live in S3 and pages point there."""

from collections.abc import Iterator

import boto3
import pytest
from boto3.s3.transfer import TransferConfig
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from moto import mock_aws

from accounts import cards
from accounts.access_patterns import get_user_info
from tests.accounts.pictures import camera_jpeg
from tests.injected.denied import denied_bucket

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)
BUCKET = "pictures"


@pytest.fixture
def bucket(table, settings, monkeypatch) -> Iterator[object]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    settings.MEDIA_BUCKET = BUCKET
    options = {
        "bucket_name": BUCKET,
        "region_name": "us-east-1",
        "querystring_auth": False,
        "transfer_config": TransferConfig(use_threads=False),  # tests/iam knows no other thread
    }
    s3_storage = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    settings.STORAGES = settings.STORAGES | {"default": s3_storage}
    cards._media_base.cache_clear()
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket=BUCKET)
        yield client
    cards._media_base.cache_clear()


def names_in(client) -> list[str]:
    return [entry["Key"] for entry in client.list_objects_v2(Bucket=BUCKET).get("Contents", [])]


def upload(browser, **fields):
    picture = SimpleUploadedFile("me.jpg", camera_jpeg())
    return browser.post("/settings/profile", {"name": "Alice", "avatar": picture} | fields)


def test_a_picture_is_stored_in_the_bucket_and_shown_from_there(alice, log_in, bucket):
    browser = log_in(alice)
    assert upload(browser).status_code == 302
    (name,) = names_in(bucket)
    address = get_user_info(alice.user_id).avatar_url
    assert address.startswith("https://")
    assert address.endswith(name)
    assert address in browser.get("/@alice").content.decode()


def test_the_picture_before_is_deleted_from_the_bucket(alice, log_in, bucket):
    browser = log_in(alice)
    upload(browser)
    old = names_in(bucket)
    upload(browser)
    assert len(names_in(bucket)) == 1
    assert names_in(bucket) != old
    browser.post("/settings/profile", {"name": "Alice", "remove_avatar": "on"})
    assert names_in(bucket) == []


def test_while_the_bucket_cannot_answer_a_picture_is_for_later(alice, log_in, bucket):
    bucket.delete_bucket(Bucket=BUCKET)
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

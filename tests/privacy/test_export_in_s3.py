"""With a bucket for exports, parts and zip are there, apart from the uploads, and gone after two days."""

from datetime import timedelta

import boto3
import pytest
from django.core.files.storage import storages

from accounts.encryption import person_keys
from accounts.models import UserInfo
from privacy.export.parts import STORAGE
from privacy.export.writes import FILES_KEPT_FOR, delete_exports
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.process_state import reset_process_state
from socialsite.streams.models import JobKind
from socialsite.table import change, keys
from socialsite.table.connection import client, table_name
from socialsite.table.data_state import check_data
from tests.buckets import objects, s3
from tests.conftest import person, post
from tests.iam.test_handlers_elsewhere import play_by_command, play_by_lambda
from tests.injected.denied import denied_bucket
from tests.privacy.exporting import ask, download, export_of, state_of
from tests.streams.crowd import jobs

pytestmark = pytest.mark.engines(
    "embedded", "dynamodb-local", reason="moto's own S3 is started here"
)


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE, max_memory_size=1000)


def test_an_export_goes_through_the_bucket_and_resumes_from_there(
    alice, log_in, drain_stream, bucket
):
    post(alice, "Kept in a bucket")
    browser = log_in(alice)
    unpacked = export_of(alice, drain_stream, browser)
    assert [one["text"] for one in unpacked.items("posts")] == ["Kept in a bucket"]
    half = len(unpacked.content) // 2
    assert download(browser, Range=f"bytes={half}-") == unpacked.content[half:]
    assert {name.split("/")[0] for name in objects(bucket)} == {alice.user_id}
    do_due(utc_now() + FILES_KEPT_FOR + timedelta(seconds=1))
    assert objects(bucket) == []


def test_pictures_come_out_of_the_bucket_of_uploads(alice, log_in, drain_stream, bucket, in_bucket):
    media = in_bucket("default")
    s3().put_object(Bucket=media, Key="avatars/hers.webp", Body=b"RIFF....WEBP")
    s3().put_object(Bucket=media, Key="headers/hers-1500.webp", Body=b"RIFF.wide.WEBP")
    pictures = [UserInfo.avatar.set("avatars/hers.webp"), UserInfo.header.set("headers/hers")]
    change(UserInfo, keys.user_info(alice.user_id), pictures)
    unpacked = export_of(alice, drain_stream, log_in(alice))
    assert unpacked.bytes("media/avatar.webp") == b"RIFF....WEBP"
    assert unpacked.bytes("media/header.webp") == b"RIFF.wide.WEBP"
    s3().delete_object(Bucket=media, Key="avatars/hers.webp")
    delete_exports(alice.user_id)
    assert "media/avatar.webp" not in export_of(alice, drain_stream, log_in(alice)).names


@pytest.mark.parametrize("play", [play_by_lambda, play_by_command])
def test_whoever_plays_the_stream_leaves_parts_in_the_bucket(alice, bucket, play):
    ask(alice)
    play()
    assert not jobs(JobKind.EXPORT)
    do_due()
    assert state_of(alice).is_ready


def test_while_the_bucket_denies_it_the_zip_waits_for_its_next_try(alice, drain_stream, bucket):
    ask(alice)
    drain_stream()
    with denied_bucket(storages[STORAGE]):
        do_due()
    assert not state_of(alice).is_ready
    do_due(utc_now() + timedelta(minutes=2))
    assert state_of(alice).is_ready


def test_where_kms_wraps_peoples_keys_the_clock_opens_what_is_sealed(
    bucket, settings, log_in, drain_stream
):
    person_keys._client.cache_clear()
    made = boto3.client("kms", region_name="us-east-1").create_key()
    settings.KMS_KEY_ID, settings.KMS_KEY_FALLBACKS = made["KeyMetadata"]["Arn"], []
    check_data(client(), table_name())
    dora = person("dora")
    reset_process_state()
    unpacked = export_of(dora, drain_stream, log_in(dora))
    assert unpacked.items("account")[0]["email"] == "dora@example.org"
    person_keys._client.cache_clear()
    reset_process_state()

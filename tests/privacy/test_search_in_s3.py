"""The search in an archive and the picture in a bucket: as in folders."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from boto3.s3.transfer import TransferConfig
from moto import mock_aws

from accounts.models import UserInfo
from privacy.erasure.leftovers import NOBODY
from privacy.services.close_account import close_account
from socialsite.clock import utc_now
from socialsite.due.work import do_due
from socialsite.streams.archive import STORAGE, list_files
from socialsite.table import keys
from socialsite.table.connection import endpoint
from socialsite.table.writing import change
from tests.privacy.test_erasure import AFTER_THE_SEARCH
from tests.streams.expired import archived, entry, expire

PICTURE = "avatars/hers.webp"


@pytest.fixture
def bucket(settings, table) -> Iterator[str]:
    """The name of the bucket of the pictures. moto plays it and that of the archive; the table stays where it is."""
    here = [f"{endpoint()}.*"] if endpoint() else []
    with mock_aws(config={"core": {"passthrough": {"urls": here}}}):
        settings.STORAGES = {
            **settings.STORAGES,
            STORAGE: bucket_named(f"archive-{table}"),
            "default": bucket_named(f"media-{table}"),
        }
        yield f"media-{table}"


def bucket_named(name: str) -> dict[str, Any]:
    boto3.client("s3", region_name="us-east-1").create_bucket(Bucket=name)
    options = {
        "bucket_name": name,
        "region_name": "us-east-1",
        "transfer_config": TransferConfig(use_threads=False),  # tests/iam knows no other thread
    }
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}


def names(bucket: str) -> list[str]:
    answer = boto3.client("s3", region_name="us-east-1").list_objects_v2(Bucket=bucket)
    return [one["Key"] for one in answer.get("Contents", [])]


def test_lines_and_pictures_go_from_buckets_too(alice, bob, bucket, drain_stream):
    boto3.client("s3", region_name="us-east-1").put_object(Bucket=bucket, Key=PICTURE, Body=b"x")
    change(UserInfo, keys.user_info(alice.user_id), [UserInfo.avatar.set(PICTURE)])
    expire(entry(alice))
    drain_stream()
    of_bob = entry(bob)
    of_bob.note = f"by {alice.user_id}"
    expire(entry(alice), of_bob)
    drain_stream()
    close_account(by=alice, at_once=True)
    do_due()
    drain_stream()
    do_due(utc_now() + AFTER_THE_SEARCH)
    (line,) = archived()
    assert (line["pk"], line["item"]["note"]["S"]) == (of_bob.pk, f"by {NOBODY}")
    assert len(list(list_files())) == 1
    assert PICTURE not in names(bucket)

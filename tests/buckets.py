"""Buckets of S3 that moto plays. The table stays where it is."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import boto3
import botocore.session
import pytest
from boto3.s3.transfer import TransferConfig
from botocore.loaders import create_loader
from moto import mock_aws

from socialsite.table.connection import endpoint

REGION = "us-east-1"
# What botocore reads of Amazon's services takes longer than a test asks of them.
one_loader = cache(create_loader)


@pytest.fixture
def in_bucket(table, settings, monkeypatch) -> Iterator[Callable[..., str]]:
    """`in_bucket("photos")`: from now on this storage has an empty bucket, whose name it returns."""

    def place(storage: str, **options: object) -> str:
        name = f"{storage}-{table}"
        s3().create_bucket(Bucket=name)
        options |= {
            "bucket_name": name,
            "region_name": REGION,
            "transfer_config": TransferConfig(use_threads=False),  # tests/iam knows no other thread
        }
        backend = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
        settings.STORAGES = {**settings.STORAGES, storage: backend}
        return name

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setattr(botocore.session, "create_loader", one_loader)
    here = [f"{endpoint()}.*"] if endpoint() else []
    with mock_aws(config={"core": {"passthrough": {"urls": here}}}):
        yield place


@cache
def s3() -> Any:
    """A client for tests alone: the site makes its own ones."""
    return boto3.client("s3", region_name=REGION)


def objects(bucket: str) -> list[str]:
    answer = s3().list_objects_v2(Bucket=bucket)
    return [one["Key"] for one in answer.get("Contents", [])]

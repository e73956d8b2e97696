"""The archive in a bucket: the same files, the same reading."""

from collections.abc import Iterator

import boto3
import pytest
from moto import mock_aws

from socialsite.streams.archive import STORAGE, list_files
from socialsite.streams.reader import Reader
from socialsite.streams.worker import Worker
from socialsite.table.connection import endpoint
from tests.streams.expired import archived, entry, expire, places


@pytest.fixture
def bucket(settings, table) -> Iterator[str]:
    """A bucket that moto plays; the table stays where it is."""
    here = [f"{endpoint()}.*"] if endpoint() else []
    name = f"archive-{table}"
    with mock_aws(config={"core": {"passthrough": {"urls": here}}}):
        boto3.client("s3", region_name="us-east-1").create_bucket(Bucket=name)
        options = {"bucket_name": name, "region_name": "us-east-1"}
        backend = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
        settings.STORAGES = {**settings.STORAGES, STORAGE: backend}
        yield name


def objects(bucket: str) -> list[str]:
    answer = boto3.client("s3", region_name="us-east-1").list_objects_v2(Bucket=bucket)
    return [one["Key"] for one in answer.get("Contents", [])]


def test_expired_items_are_objects_of_the_bucket(alice, bucket):
    items = expire(entry(alice), entry(alice))
    Worker().drain()
    assert objects(bucket) == list(list_files())
    assert objects(bucket)[0].startswith("archive/date=")
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


def test_an_object_is_written_over_when_its_batch_is_read_again(alice, bucket, monkeypatch):
    expire(entry(alice))
    worker = Worker()
    monkeypatch.setattr(Reader, "commit", lambda *_: None)
    worker.step()
    before = objects(bucket)
    worker.give_up()
    worker.step()
    assert objects(bucket) == before
    monkeypatch.undo()
    worker.give_up()
    items = expire(entry(alice))
    Worker().drain()
    assert set(objects(bucket)) > set(before)
    assert len(archived()) == 1 + len(items)

"""The archive in a bucket: the same files, the same reading."""

import json

import pytest
from django.core.files.storage import storages
from django.core.management import call_command
from django.core.management.base import CommandError

from socialsite.streams.archive import STORAGE, list_files
from socialsite.streams.joining import LEAST, NOTES
from socialsite.streams.lambda_handler import handle
from socialsite.streams.shards import Reader
from socialsite.streams.worker import Worker
from tests.buckets import objects, s3
from tests.injected.denied import denied_bucket
from tests.injected.rounds import Rounds
from tests.streams.expired import archived, entry, expire, places
from tests.streams.lambda_events import event
from tests.streams.records import unread
from tests.web.catalogs import ROOT


@pytest.fixture
def bucket(in_bucket) -> str:
    return in_bucket(STORAGE)


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


def test_lambda_archives_into_the_bucket_too(alice, bucket):
    items = expire(entry(alice))
    assert handle(event(unread())) == {"batchItemFailures": []}
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


def test_the_command_reads_the_bucket(alice, bucket, capsys):
    (item,) = expire(entry(alice))
    Worker().drain()
    call_command("archive", "list")
    assert capsys.readouterr().out.split() == objects(bucket)
    call_command("archive", "restore", "--pk", item.pk)
    assert capsys.readouterr().out == "1 items restored.\n"


def test_a_command_that_plays_the_stream_archives_as_a_worker_does(alice, bucket):
    items = expire(entry(alice))
    call_command("reconcile")
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


def test_a_command_that_may_not_read_the_bucket_says_so(bucket):
    with (
        denied_bucket(storages[STORAGE]),
        pytest.raises(CommandError, match=r"when calling the \w+ operation: Access Denied"),
    ):
        call_command("archive", "list")


def test_a_worker_that_may_not_write_to_the_bucket_says_so_and_goes_on_afterwards(
    alice, bucket, caplog, monkeypatch
):
    monkeypatch.setattr("socialsite.streams.worker.FAULT_PAUSE", 0)
    items = expire(entry(alice))
    with denied_bucket(storages[STORAGE]):
        Worker().run(Rounds(2))
    assert "when calling the PutObject operation: Access Denied" in caplog.text
    assert "the worker starts over" not in caplog.text
    Worker().drain()
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


def test_the_lifecycle_moves_what_was_joined_and_nothing_smaller(alice, bucket):
    lifecycle = json.loads((ROOT / "deploy" / "archive-lifecycle.json").read_text())
    s3().put_bucket_lifecycle_configuration(Bucket=bucket, LifecycleConfiguration=lifecycle)
    (rule,) = lifecycle["Rules"]
    (taken,) = s3().get_bucket_lifecycle_configuration(Bucket=bucket)["Rules"]
    assert taken["Transitions"] == rule["Transitions"] == [{"Days": 30, "StorageClass": "GLACIER"}]
    bounds = rule["Filter"]["And"]
    assert bounds["ObjectSizeGreaterThan"] == LEAST - 1
    expire(entry(alice))
    Worker().drain()
    assert all(name.startswith(bounds["Prefix"]) for name in objects(bucket))
    assert not NOTES.startswith(bounds["Prefix"])

"""What TTL removed goes to the archive: gzip JSON lines by day and shard, once however often it is read."""

import gzip
import json
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.models import SignIn
from accounts.people.viewer import Viewer
from feed.posts.models import TimelineEntry
from feed.publishing.models import Submission
from feed.publishing.writes import delete_post
from feed.timelines.models import PublicEntry
from relations.follows.writes import follow
from socialsite.models import RateLimit
from socialsite.streams.archive import STORAGE, archive_records, list_files
from socialsite.streams.joining import LEAST, NOTES
from socialsite.streams.lambda_handler import handle
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import SeenRecord
from socialsite.streams.shards import Reader
from socialsite.streams.worker import Worker
from socialsite.table import ids, keys, query, write_batch
from socialsite.table.connection import client
from tests.buckets import objects, s3
from tests.conftest import post
from tests.engine.processes import create_table
from tests.injected.faults import Rounds, denied_bucket
from tests.streams.records import PAST, archived, entry, event, expire, own_archive, places, unread
from tests.tables import use_table
from tests.web.catalogs import ROOT


@pytest.fixture
def own_folder(settings, tmp_path: Path) -> Path:
    own_archive(settings, tmp_path)
    return tmp_path


@pytest.mark.usefixtures("own_folder")
def test_expired_items_are_archived_in_the_order_of_their_removal(alice, worker):
    items = expire(*(entry(alice) for _ in range(3)))
    worker.drain()
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


@pytest.mark.usefixtures("own_folder")
def test_a_file_is_named_by_day_shard_and_its_first_and_last_removal(alice, worker, own_folder):
    expire(entry(alice), entry(alice))
    worker.drain()
    (name,) = list_files()
    folder, day, shard, file = name.split("/")
    assert (folder, day) == ("archive", f"date={datetime.now(UTC).date().isoformat()}")
    assert shard == worker.shards[0].shard_id
    lines = [
        json.loads(one) for one in gzip.decompress((own_folder / name).read_bytes()).splitlines()
    ]
    assert file == f"{lines[0]['sequence']}-{lines[-1]['sequence']}.jsonl.gz"
    assert [line["sequence"] for line in lines] == sorted(line["sequence"] for line in lines)


@pytest.mark.usefixtures("own_folder")
def test_a_line_holds_the_whole_item_and_where_it_was(alice, worker):
    (item,) = expire(entry(alice))
    worker.drain()
    (line,) = archived()
    assert line["item"] == item.serialize()
    assert (line["type"], line["shard"]) == ("SavedPost", worker.shards[0].shard_id)


@pytest.mark.usefixtures("own_folder")
def test_what_somebody_deleted_is_not_archived(alice, worker):
    post_id = post(alice)
    delete_post(by=alice, post_id=post_id)
    expire(entry(alice, ttl=datetime.now(UTC) + timedelta(hours=1)))
    worker.drain()
    assert archived() == []


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize(
    "item",
    [
        SeenRecord.new(event_id="1", ttl=PAST),
        SignIn.new(user_id="1", secret_hash="s", browser="b", seen="2026-01-01", ttl=PAST, epoch=0),
        Submission.new(user_id="1", nonce="n", post_id="1", ttl=PAST),
        RateLimit(*keys.rate_limit("sign-in", "x", 1), hits=1, ttl=PAST),
    ],
    ids=lambda item: type(item).__name__,
)
def test_the_machinerys_items_are_not_archived(worker, item):
    expire(item)
    worker.drain()
    assert archived() == []


@pytest.mark.usefixtures("own_folder")
def test_pointers_to_posts_are_not_archived_as_they_name_people(alice, worker):
    today = datetime.now(UTC).date()
    pointer = {"post_id": ids.new_id(), "author_id": alice.user_id, "ttl": PAST}
    expire(
        PublicEntry.new(day=today, shard=0, **pointer),
        TimelineEntry.new(user_id=alice.user_id, **pointer),
    )
    worker.drain()
    assert archived() == []


@pytest.mark.usefixtures("own_folder")
def test_a_worker_that_dies_before_its_commit_archives_nothing_twice(alice, worker, monkeypatch):
    items = expire(entry(alice), entry(alice))

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "commit", die)
    with pytest.raises(KeyboardInterrupt):
        worker.step()
    monkeypatch.undo()
    worker.give_up()
    items += expire(entry(alice))
    Worker().drain()
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


@pytest.mark.usefixtures("own_folder")
def test_what_a_frozen_worker_archives_late_takes_nothing_away(alice, worker):
    items = expire(entry(alice), entry(alice))
    early = unread()
    items += expire(entry(alice))
    worker.drain()
    archive_records(early, shard_id=worker.shards[0].shard_id)
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


@pytest.mark.usefixtures("own_folder")
def test_an_archive_that_cannot_be_written_holds_the_checkpoint_back(
    alice, worker, own_folder, settings
):
    blocked = own_folder / "archive"
    blocked.write_text("in the way")
    items = expire(entry(alice))
    with pytest.raises(OSError, match="archive"):
        worker.step()
    worker.give_up()
    blocked.unlink()
    Worker().drain()
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


@pytest.mark.usefixtures("own_folder")
def test_under_lambda_overlapping_batches_archive_each_removal_once(alice):
    items = expire(*(entry(alice) for _ in range(4)))
    records = unread()
    for start in range(0, len(records), 3):
        handle(event(records[start : start + 8]))
    handle(event(records))
    assert sorted((line["pk"], line["sk"]) for line in archived()) == sorted(places(items))


@pytest.mark.usefixtures("own_folder")
def test_under_lambda_an_archive_that_cannot_be_written_holds_nothing_else_back(
    alice, bob, own_folder
):
    blocked = own_folder / "archive"
    blocked.write_text("in the way")
    items = expire(entry(alice))
    follow(by=bob, user_id=alice.user_id)
    published = post(alice)
    batch = event(unread())
    assert len(handle(batch)["batchItemFailures"]) == 1
    assert published in [raw["post_id"]["S"] for raw in query(keys.timeline(bob.user_id))]
    blocked.unlink()
    assert handle(batch) == {"batchItemFailures": []}
    assert [(line["pk"], line["sk"]) for line in archived()] == places(items)


@pytest.fixture
def table_without_indexes(engine) -> Iterator[None]:
    """DynamoDB Local removes nothing from a table that has an index."""
    name = f"test-{uuid.uuid4().hex[:16]}"
    use_table(name)
    create_table(client(), name)
    ttl = {"Enabled": True, "AttributeName": "ttl"}
    client().update_time_to_live(TableName=name, TimeToLiveSpecification=ttl)
    yield
    client().delete_table(TableName=name)


@pytest.mark.usefixtures("own_folder")
@pytest.mark.engines("dynamodb-local", reason="the other engines remove nothing by themselves")
@pytest.mark.usefixtures("table_without_indexes")
def test_what_the_service_itself_removed_is_archived():
    items = [entry(Viewer(ids.new_id())) for _ in range(2)]
    write_batch(puts=items)
    worker = Worker()
    deadline = time.monotonic() + 40
    while len(archived()) < 2 and time.monotonic() < deadline:
        time.sleep(0.5)
        worker.drain()
    assert sorted((line["pk"], line["sk"]) for line in archived()) == sorted(places(items))


# The archive in a bucket: the same files, the same reading.


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

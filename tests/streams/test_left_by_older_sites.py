"""What an older site wrote and this one no longer knows: its jobs end, its items are passed over."""

import time
from datetime import UTC, datetime

import pytest
from django.core.management import call_command

from operations.reconcile import reconcile_page
from socialsite.streams.archive import list_files
from socialsite.streams.change import dead_letter_of, type_of
from socialsite.streams.dispatch import redrive
from socialsite.streams.models import RETIRED_ITEMS, RETIRED_JOBS, Job
from socialsite.streams.status import list_dead_letters, list_jobs
from socialsite.streams.worker import Worker
from socialsite.table import change, create, fetch, keys
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan
from tests.streams.expired import own_archive
from tests.streams.records import unread

A_WEEK = 7 * 86_400


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    own_archive(settings, tmp_path)


@pytest.fixture
def worker(table) -> Worker:
    return Worker()


def old_job(kind: str) -> Job:
    job = Job(*keys.job(kind, "1"), kind=kind, job_id="1", subject_id="1", total=40)
    create(job)
    return job


def an_import(*, ends: float) -> None:
    """The report of an uploaded list, as it was kept for a week."""
    for kind in RETIRED_ITEMS:
        item = {
            "PK": {"S": f"u#1#{kind.lower()}"},
            "SK": {"S": "i#1#0000"},
            "type": {"S": kind},
            "ttl": {"N": str(int(ends))},
        }
        client().put_item(TableName=table_name(), Item=item)


@pytest.mark.parametrize("kind", sorted(RETIRED_JOBS))
@pytest.mark.parametrize("cursor", ["", "3"], ids=["new", "under way"])
def test_a_job_of_a_kind_that_is_gone_ends_without_a_step(worker, kind, cursor):
    job = old_job(kind)
    if cursor:
        change(Job, job.key, [Job.cursor.set(cursor)])
    worker.drain()
    assert not fetch([job.key])
    assert not list_dead_letters()


def test_a_job_of_a_kind_that_a_newer_site_entered_is_parked_and_kept(worker):
    job = old_job("of a newer site")
    worker.drain()
    assert fetch([job.key])
    assert len(list_dead_letters()) == 1


def test_a_parked_step_of_a_kind_that_is_gone_ends_with_its_job_when_it_is_tried_again(table):
    job = old_job("import")
    (record,) = [one for one in unread() if type_of(one) == Job.__name__]
    letter = dead_letter_of(record, shard_id="shard", error=KeyError())
    create(letter)
    assert redrive(letter)
    assert not fetch([job.key])
    assert not list_dead_letters()


def test_reports_of_imports_are_passed_over_by_audit_worker_and_repair(alice, worker):
    an_import(ends=time.time() + A_WEEK)
    worker.drain()
    call_command("audit")
    assert not list(reconcile_page(list(scan()), begun=datetime.now(UTC).isoformat()))
    worker.drain()
    assert not list_dead_letters()
    assert not list_jobs()


def test_reports_of_imports_expire_and_are_not_archived(worker):
    an_import(ends=time.time() - 1)
    for raw in list(scan()):
        if raw["type"]["S"] in RETIRED_ITEMS:
            client().delete_item(TableName=table_name(), Key={n: raw[n] for n in ("PK", "SK")})
    worker.drain()
    assert not list(list_files())
    assert not list_dead_letters()

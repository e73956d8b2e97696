"""Jobs: step by step, giving way to people, and those that older sites left."""

import os
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from feed.publishing.writes import delete_post
from operations.reconcile import reconcile_page
from relations.follows.writes import follow
from socialsite.streams import jobs as streams
from socialsite.streams.archive import list_files
from socialsite.streams.change import dead_letter_of, read_change, type_of
from socialsite.streams.dispatch import dispatch, redrive
from socialsite.streams.ledger import Ledger
from socialsite.streams.models import RETIRED_ITEMS, RETIRED_JOBS, Job, JobKind
from socialsite.streams.status import list_dead_letters, list_jobs
from socialsite.streams.worker import Worker
from socialsite.table import change, create, fetch, ids, keys, write_batch
from socialsite.table.connection import client, table_name
from socialsite.table.reading import scan
from tests.conftest import post
from tests.streams.crowd import crowd, gather, home, jobs, last_here, reached
from tests.streams.records import everything, handle_all, own_archive, unread

DAY = timedelta(days=1)


@pytest.fixture
def small_steps(settings):
    settings.FAN_OUT_INLINE = 3
    settings.FAN_OUT_STEP = 5


@pytest.fixture
def fans(alice, worker):
    """Twelve people who follow Alice: two steps and a last one."""
    found = gather(crowd(12), alice)
    worker.drain()
    return found


def day_before(days: int) -> str:
    return (datetime.now(UTC) - days * DAY).date().isoformat()


@pytest.mark.usefixtures("small_steps")
def test_a_post_to_few_is_fanned_out_at_once_without_a_job(alice, worker, settings):
    few = gather(crowd(settings.FAN_OUT_INLINE), alice)
    worker.drain()
    post_id = post(alice)
    worker.step()
    assert reached(few, post_id, alice) == len(few)
    assert not jobs(JobKind.FAN_OUT)


@pytest.mark.usefixtures("small_steps")
def test_a_post_to_many_is_entered_as_a_job_first(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    (job,) = jobs(JobKind.FAN_OUT)
    assert (job.subject_id, job.author_id) == (post_id, alice.user_id)
    assert (job.done, job.total) == (0, 12)
    assert reached(fans, post_id, alice) == 0


@pytest.mark.usefixtures("small_steps")
def test_the_job_tells_its_progress_and_goes_when_it_is_done(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    progress = []
    while found := jobs(JobKind.FAN_OUT):
        progress.append((int(found[0].done), reached(fans, post_id, alice)))
        worker.step()
    assert progress == [(0, 0), (5, 5), (10, 10)]
    assert reached(fans, post_id, alice) == 12


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("followers", [4, 5, 6, 9, 10, 11])
def test_everybody_is_reached_whatever_the_number_of_followers(alice, worker, followers):
    fans = gather(crowd(followers), alice)
    worker.drain()
    post_id = post(alice)
    worker.drain()
    assert reached(fans, post_id, alice) == followers
    assert not jobs(JobKind.FAN_OUT)


@pytest.mark.usefixtures("small_steps")
def test_every_follower_sees_the_post_once(alice, fans, worker):
    post_ids = [post(alice) for _ in range(2)]
    worker.drain()
    assert all(home(fan) == post_ids[::-1] for fan in fans)


@pytest.mark.usefixtures("small_steps")
def test_another_persons_post_gets_through_between_two_steps(alice, bob, carol, fans, worker):
    follow(by=carol, user_id=bob.user_id)
    worker.drain()
    post(alice)
    worker.step()
    worker.step()
    quick = post(bob)
    worker.step()
    assert jobs(JobKind.FAN_OUT)
    assert home(carol) == [quick]


@pytest.mark.usefixtures("small_steps")
def test_several_jobs_go_on_side_by_side(alice, fans, worker):
    posts = [post(alice) for _ in range(3)]
    worker.step()
    worker.step()
    assert [reached(fans, post_id, alice) for post_id in posts] == [5, 5, 5]
    worker.drain()
    assert [reached(fans, post_id, alice) for post_id in posts] == [12, 12, 12]


@pytest.mark.usefixtures("small_steps")
def test_a_step_that_is_handled_twice_is_made_once(alice, fans, worker):
    post(alice)
    worker.step()
    (record,) = [one for one in unread() if one["dynamodb"]["NewImage"]["type"] == {"S": "Job"}]
    step = read_change(record)
    dispatch(step, Ledger())
    after_first = everything()
    dispatch(step, Ledger())
    assert everything() == after_first
    assert int(jobs(JobKind.FAN_OUT)[0].done) == 5


@pytest.mark.usefixtures("small_steps")
def test_the_last_step_handled_again_does_not_bring_the_job_back(alice, fans, worker):
    post(alice)
    worker.step()
    records = unread()
    worker.drain()
    handle_all(records)
    assert not jobs(JobKind.FAN_OUT)


@pytest.mark.usefixtures("small_steps")
def test_a_worker_that_takes_over_goes_on_with_the_job(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    worker.step()
    worker.give_up()
    Worker().drain()
    assert reached(fans, post_id, alice) == 12
    assert not jobs(JobKind.FAN_OUT)


@pytest.mark.usefixtures("small_steps")
def test_who_follows_while_the_job_runs_misses_nothing(alice, bob, fans, worker):
    post_id = post(alice)
    worker.step()
    worker.step()
    follow(by=bob, user_id=alice.user_id)
    worker.drain()
    assert home(bob) == [post_id]


@pytest.mark.usefixtures("small_steps")
def test_a_post_that_is_deleted_while_its_job_runs_is_nowhere(alice, fans, worker):
    post_id = post(alice)
    worker.step()
    worker.step()
    delete_post(by=alice, post_id=post_id)
    worker.drain()
    assert not jobs(JobKind.FAN_OUT)
    assert not any(home(fan) for fan in fans)


@pytest.mark.usefixtures("small_steps")
def test_a_fan_out_with_one_call_after_the_other_reaches_the_same_people(alice, worker, settings):
    settings.FAN_OUT_STEP, settings.FAN_OUT_AT_ONCE = 100, 1
    fans = gather(crowd(60), alice)
    worker.drain()
    post_id = post(alice)
    worker.drain()
    assert reached(fans, post_id, alice) == 60


@pytest.mark.usefixtures("small_steps")
@pytest.mark.parametrize("inline", [3, 500])
def test_who_was_not_here_for_long_gets_nothing(alice, bob, worker, settings, inline):
    settings.FAN_OUT_INLINE = inline
    present, absent = gather(crowd(3), alice), gather(crowd(3), alice)
    for people, days in ((present, 0), (absent, 1)):
        for one in people:
            last_here(one, day_before(settings.ABSENT_AFTER_DAYS + days))
    worker.drain()
    post_id = post(alice)
    worker.drain()
    assert reached(present, post_id, alice) == 3
    assert reached(absent, post_id, alice) == 0


# Jobs give way to people: while pages are asked for, they send small calls and rest before each.

FOLLOWERS = 9


@pytest.fixture
def last_request(settings, tmp_path) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path / "last-request"


@pytest.fixture
def job(last_request, table, settings, alice):
    """A fan-out to nine followers that its next step brings to all."""
    settings.FAN_OUT_INLINE = 2
    fans, worker = gather(crowd(FOLLOWERS), alice), Worker()
    worker.drain()
    post_id = post(alice)
    worker.step()
    assert jobs(JobKind.FAN_OUT)
    return lambda: (worker.step(), reached(fans, post_id, alice))[1]


def asked(file: Path, ago: float) -> None:
    """Someone asked for a page so many seconds ago."""
    file.touch()
    os.utime(file, (time.time() - ago,) * 2)


def calls(measured, operation: str) -> int:
    return sum(call.operation == operation for call in measured.calls)


def test_nobody_is_served_and_a_job_goes_with_full_calls(job, measure):
    with measure() as measured:
        assert job() == FOLLOWERS
    assert calls(measured, "BatchWriteItem") == 1


def test_beside_readers_it_goes_with_small_ones(job, last_request, measure, monkeypatch):
    monkeypatch.setattr(streams, "SERVED_WITHIN", 60)
    asked(last_request, ago=1)
    with measure() as measured:
        assert job() == FOLLOWERS
    assert calls(measured, "BatchWriteItem") == 2


def test_beside_readers_its_steps_are_shorter(job, last_request, settings, monkeypatch):
    """A step holds up the stream, so that others wait no longer than when nobody reads."""
    monkeypatch.setattr(streams, "SERVED_WITHIN", 60)
    settings.FAN_OUT_STEP = 20
    asked(last_request, ago=1)
    assert job() == 20 // streams.SHORTER


def test_the_last_page_was_asked_for_a_while_ago(job, last_request, measure):
    asked(last_request, ago=2 * streams.SERVED_WITHIN)
    with measure() as measured:
        assert job() == FOLLOWERS
    assert calls(measured, "BatchWriteItem") == 1


def test_a_clock_that_was_set_back_holds_no_job_up(job, last_request, measure):
    asked(last_request, ago=-3600)
    with measure() as measured:
        assert job() == FOLLOWERS
    assert calls(measured, "BatchWriteItem") == 1


def test_it_rests_before_each_call(last_request, monkeypatch):
    monkeypatch.setattr(streams, "SERVED_WITHIN", 60)
    asked(last_request, ago=0)
    began = time.perf_counter()
    assert streams.give_way(25) == streams.SMALL
    assert time.perf_counter() - began >= streams.REST


@pytest.fixture
def noting(settings) -> None:
    """The site's own middleware, which the other tests do without."""
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, settings.NOTING]


@pytest.mark.usefixtures("noting")
def test_each_page_is_noted(last_request, table):
    assert not last_request.exists()
    assert Client().get("/login").status_code == 200
    assert abs(last_request.stat().st_mtime - time.time()) < 600
    asked(last_request, ago=3600)
    Client().get("/login")
    assert abs(last_request.stat().st_mtime - time.time()) < 600


@pytest.mark.usefixtures("noting")
def test_a_data_folder_that_cannot_be_written_fails_no_page(settings, table, tmp_path):
    settings.DATA_DIR = tmp_path / "gone"
    assert Client().get("/login").status_code == 200


def test_people_never_wait_for_it(last_request, table, measure, monkeypatch):
    monkeypatch.setattr(streams, "SERVED_WITHIN", 60)
    asked(last_request, ago=0)
    with measure() as measured:
        fetch([keys.user_count(str(number)) for number in range(20)])
    assert calls(measured, "BatchGetItem") == 1


# What an older site wrote and this one no longer knows: its jobs end, its items are passed over.

A_WEEK = 7 * 86_400


@pytest.fixture
def own_folder(settings, tmp_path):
    own_archive(settings, tmp_path)


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


@pytest.mark.usefixtures("own_folder")
@pytest.mark.parametrize("kind", sorted(RETIRED_JOBS))
@pytest.mark.parametrize("cursor", ["", "3"], ids=["new", "under way"])
def test_a_job_of_a_kind_that_is_gone_ends_without_a_step(worker, kind, cursor):
    job = old_job(kind)
    if cursor:
        change(Job, job.key, [Job.cursor.set(cursor)])
    worker.drain()
    assert not fetch([job.key])
    assert not list_dead_letters()


@pytest.mark.usefixtures("own_folder")
def test_a_job_of_a_kind_that_a_newer_site_entered_is_parked_and_kept(worker):
    job = old_job("of a newer site")
    worker.drain()
    assert fetch([job.key])
    assert len(list_dead_letters()) == 1


@pytest.mark.usefixtures("own_folder")
def test_a_parked_step_of_a_kind_that_is_gone_ends_with_its_job_when_it_is_tried_again(table):
    job = old_job("import")
    (record,) = [one for one in unread() if type_of(one) == Job.__name__]
    letter = dead_letter_of(record, shard_id="shard", error=KeyError())
    create(letter)
    assert redrive(letter)
    assert not fetch([job.key])
    assert not list_dead_letters()


@pytest.mark.usefixtures("own_folder")
def test_reports_of_imports_are_passed_over_by_audit_worker_and_repair(alice, worker):
    an_import(ends=time.time() + A_WEEK)
    worker.drain()
    call_command("audit")
    assert not list(reconcile_page(list(scan()), begun=datetime.now(UTC).isoformat()))
    worker.drain()
    assert not list_dead_letters()
    assert not list_jobs()


@pytest.mark.usefixtures("own_folder")
def test_reports_of_imports_expire_and_are_not_archived(worker):
    an_import(ends=time.time() - 1)
    for raw in list(scan()):
        if raw["type"]["S"] in RETIRED_ITEMS:
            client().delete_item(TableName=table_name(), Key={n: raw[n] for n in ("PK", "SK")})
    worker.drain()
    assert not list(list_files())
    assert not list_dead_letters()


# Jobs of which very many are under way at once do not all wait for one worker.


@pytest.mark.parametrize("kind", keys.SPREAD_JOBS)
def test_jobs_of_many_are_spread_over_partitions(kind):
    made = Counter(keys.job(kind, ids.new_id()).pk for _ in range(1_600))
    assert made.keys() <= set(keys.job_partitions(kind))
    assert len(made) == keys.JOB_SHARDS
    assert max(made.values()) < 2 * 1_600 / keys.JOB_SHARDS


def test_a_job_of_one_reader_stands_in_their_own_partition():
    one, other = (
        Job.new(kind=JobKind.MERGE_PULLED, job_id=f"{user_id}-1.x", subject_id=user_id)
        for user_id in ("ONE", "OTHER")
    )
    assert (one.pk, other.pk) == ("u#ONE#job", "u#OTHER#job")
    again = Job.new(kind=JobKind.LOOK_FOR_PEOPLE, job_id="ONE-1.x", subject_id="ONE")
    assert again.pk == one.pk
    assert again.sk != one.sk
    assert "u#ONE#job" in keys.own_partitions("ONE")


def test_jobs_that_earlier_versions_put_into_one_partition_are_listed_and_done(worker):
    worker.drain()
    for kind in (*keys.SPREAD_JOBS, *keys.OWN_JOBS):
        write_batch(puts=[Job(f"job#{kind}", "j#old", kind=kind, job_id="old", subject_id="gone")])
    assert len(list_jobs()) == len(keys.SPREAD_JOBS) + len(keys.OWN_JOBS)
    worker.drain()
    assert not list_jobs()
    assert not list_dead_letters()

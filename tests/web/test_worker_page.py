"""The staff page about the worker."""

from django.test import Client

from feed.likes.writes import like_post
from socialsite.streams.models import Job, JobKind
from socialsite.streams.status import list_jobs, read_worker_status
from socialsite.streams.worker import Worker
from socialsite.table import create
from tests.conftest import post


def test_it_is_not_there_for_others(alice, mod, log_in):
    assert Client().get("/operations/worker").status_code == 404
    assert log_in(mod).get("/operations/worker").status_code == 404
    assert log_in(alice).get("/operations/worker").status_code == 404


def test_it_shows_shards_jobs_and_parked_records(alice, admin, log_in):
    Worker().step()
    create(Job.new(kind=JobKind.FAN_OUT, job_id="J", subject_id="P", total=10))
    page = log_in(admin).get("/operations/worker").content.decode()
    assert "fan-out" in page
    assert "0 / 10" in page
    assert "shardId" in page


def test_looking_costs_two_calls_and_one_a_kind_of_job_once_the_shards_are_known(
    alice, bob, measure
):
    like_post(by=bob, post_id=post(alice), author_id=alice.user_id)
    Worker().step()
    read_worker_status()
    with measure() as meter:
        read_worker_status()
        list_jobs()
    assert len(meter.calls) == 2 + len(JobKind)
    assert {call.operation for call in meter.calls} == {"BatchGetItem", "Query"}

"""Jobs give way to people: while pages are asked for, they send small calls and rest before each."""

import os
import time
from pathlib import Path

import pytest
from django.test import Client

from socialsite.streams import jobs as streams
from socialsite.streams.models import JobKind
from socialsite.streams.worker import Worker
from socialsite.table import fetch, keys
from tests.conftest import post
from tests.streams.crowd import crowd, gather, jobs, reached

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

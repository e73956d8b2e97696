"""`/status`: what works now, in plain words, for everyone, also while the table is away; it tells no figures."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from moderation.log.writes import OPERATOR
from moderation.maintenance.writes import plan_read_only
from socialsite.due.clock import Beats
from socialsite.due.models import StreamHost
from socialsite.due.work import do_due
from socialsite.engine import running
from socialsite.process_state import reset_process_state
from socialsite.streams.models import Lease
from socialsite.streams.worker import Worker
from socialsite.table import change, keys
from socialsite.web import status
from tests.web.conftest import NOBODY_LISTENS, table_at
from tests.web.html import Html


@pytest.fixture
def well(worker: Worker) -> Worker:
    worker.step()
    do_due(beat=Beats())
    return worker


def shown() -> tuple[str, dict[str, str]]:
    """Returns the heading, and what is said of each part."""
    reset_process_state()  # so that some seconds need not pass
    response = Client().get("/status")
    assert response.status_code == 200
    page = Html(response)
    names = [one.text for one in page.all("strong")]
    parts = (one.text.removeprefix(name) for one, name in zip(page.all("li"), names, strict=True))
    said = dict(zip(names, (" ".join(part.split()) for part in parts), strict=True))
    return page.one("h1").text, said


def test_everything_works(well):
    heading, parts = shown()
    assert heading == "Everything works"
    assert set(parts.values()) == {"works"}
    assert set(parts) == {
        "Reading",
        "Posting and everything else that is saved",
        "Timelines, counts and notifications",
        "Searching",
        "Scheduled posts and ends of polls",
        "New pictures",
        "Letters by email",
    }


def test_timelines_that_are_late_are_told_with_since_when(well):
    before = (datetime.now(UTC) - timedelta(minutes=5)).isoformat(timespec="seconds")
    change(Lease, keys.lease(well.shards[0].shard_id), [Lease.beaten_at.set(before)])
    heading, parts = shown()
    assert heading == "Some things are late"
    late = parts["Timelines, counts and notifications"]
    assert late.startswith("late (since ")
    assert "None is lost." in late
    assert parts["Reading"] == parts["Letters by email"] == "works"


def test_letters_are_late_while_none_goes_out_or_no_clock_is_there(well):
    host = keys.stream_host()
    since = (datetime.now(UTC) - timedelta(minutes=30)).isoformat(timespec="seconds")
    change(StreamHost, host, [StreamHost.letters_fail_since.set(since)])
    assert shown()[1]["Letters by email"].startswith("late")
    assert shown()[1]["Scheduled posts and ends of polls"] == "works"
    gone = [StreamHost.letters_fail_since.remove(), StreamHost.clock_beaten_at.set(since)]
    change(StreamHost, host, gone)
    _, parts = shown()
    assert parts["Letters by email"].startswith("late")
    assert parts["Scheduled posts and ends of polls"].startswith("late")


def test_a_full_disk_and_a_site_that_only_reads_say_that_nothing_is_saved(
    well, monkeypatch, settings
):
    with monkeypatch.context() as full:
        full.setattr(running, "LEAST_FREE", 1 << 62)
        heading, parts = shown()
    assert heading == "Not everything works now"
    assert parts["Posting and everything else that is saved"].startswith("not now")
    assert parts["New pictures"].startswith("not now")
    assert parts["Reading"] == "works"
    settings.WRITING_REGION, settings.DYNAMODB_REGION = "eu-west-1", "eu-central-1"
    assert shown()[1]["Posting and everything else that is saved"].startswith("not now")


def test_a_site_that_is_only_read_on_purpose_says_nothing_of_room_and_of_what_is_saved(well):
    plan_read_only(by=OPERATOR)
    before = (datetime.now(UTC) - timedelta(minutes=5)).isoformat(timespec="seconds")
    change(Lease, keys.lease(well.shards[0].shard_id), [Lease.beaten_at.set(before)])
    _, parts = shown()
    assert parts["New pictures"].startswith("not now")
    assert "room" not in parts["New pictures"]
    assert parts["Timelines, counts and notifications"].startswith("late")
    assert "are saved" not in parts["Timelines, counts and notifications"]


def test_it_is_there_while_the_table_is_away_and_says_since_when(well):
    with table_at(NOBODY_LISTENS):
        heading, parts = shown()
        assert heading == "Not everything works now"
        assert all(said.startswith("not now (since ") for said in parts.values())
        since = status.read_status().parts[0].since
        assert status.read_status().parts[0].since == since  # however often it is asked
    assert shown()[0] == "Everything works"


def test_the_page_that_says_that_the_site_is_away_leads_there_and_so_does_about(well):
    assert "/status" in [link["href"] for link in Html(Client().get("/about")).all("a")]
    with table_at(NOBODY_LISTENS):
        response = Client().get("/local")
        assert response.status_code == 503
        assert "/status" in [link["href"] for link in Html(response).all("a")]


def test_what_is_planned_is_told(well, monkeypatch):
    noon = datetime(2026, 11, 29, 12, tzinfo=UTC)
    monkeypatch.setattr(status, "read_writing", lambda: status.Writing(planned=noon))
    reset_process_state()
    assert "Planned: from Nov. 29, 2026, noon on you can read here" in " ".join(
        Html(Client().get("/status")).one("main").text.split()
    )


def test_it_costs_nothing_for_some_seconds_and_may_be_kept_by_others(well, measure, log_in, alice):
    shown()
    with measure() as meter:
        responses = [Client().get("/status"), log_in(alice).get("/status")]
    assert [call for call in meter.calls if call.access_pattern == "read_worker_status"] == []
    for response in responses:
        assert response["Cache-Control"] == "public, max-age=15"
        assert "alice" not in response.content.decode()


def test_no_figure_helps_an_attacker(well):
    change(Lease, keys.lease(well.shards[0].shard_id), [Lease.lag.set(54321)])
    reset_process_state()
    text = re.sub(r"\(since [^)]*\)", "", Html(Client().get("/status")).one("main").text)
    assert not re.search(r"[0-9]", text), text


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_nothing_is_sent_to_it(well, method):
    assert getattr(Client(), method)("/status").status_code == 405

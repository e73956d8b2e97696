"""A request's line says what was asked for and by whom without naming anybody, and `who_asked` counts these lines."""

import io
import json
import logging
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import get_resolver

from operations.who_asked import NoSuchTime, moment_of
from socialsite.observing.logs import JsonFormatter
from socialsite.web import observation
from socialsite.web.asked import network_of, safe_path, target_of
from socialsite.web.observation import note_refusal
from tests.conftest import HTMX, post
from tests.web.test_logs import routes

ADDRESS = "198.51.100.7"
NAMES = ("alice", "bob", ADDRESS, "s3cr3t")
NOW = datetime(2026, 11, 28, 15, 30, tzinfo=UTC)


@pytest.fixture
def lines(caplog):
    """Each request's line, as production writes it."""
    caplog.set_level(logging.INFO, logger="requests")
    return lambda: [
        JsonFormatter().format(record) for record in caplog.records if record.name == "requests"
    ]


def last(lines) -> dict:
    return json.loads(lines()[-1])


# What a line says


def test_it_has_the_path_with_ids_the_network_and_the_account(alice, bob, log_in, lines):
    post_id = post(alice)
    log_in(bob).get(f"/@alice/posts/{post_id}?page=s3cr3t", REMOTE_ADDR=ADDRESS)
    line = last(lines)
    assert line["path"] == f"/@…/posts/{post_id}"
    assert (line["network"], line["account"]) == ("198.51.100.0/24", bob.user_id)
    assert not [name for name in NAMES if name in lines()[-1]]


def test_visitors_have_no_account(alice, lines):
    Client().get("/@alice")
    assert "account" not in last(lines)


def test_the_account_costs_no_read_of_its_own(alice, log_in, lines):
    log_in(alice).get("/robots.txt")
    assert (last(lines)["calls"], last(lines).get("account")) == (0, None)


def test_lines_about_one_address_have_one_target_and_others_another(alice, bob, lines):
    for path in ("/@alice", "/@Alice?page=", "/@bob"):
        Client().get(path)
    first, second, third = (json.loads(line)["target"] for line in lines())
    assert first == second == target_of("/@alice")
    assert third != first


def test_a_target_is_read_back_by_nobody_without_the_key(settings):
    before = target_of("/@alice")
    settings.SECRET_KEY = "another" * 10
    assert target_of("/@alice") != before


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    "path", ["/password/reset/s3cr3t", "/u/s3cr3t", "/erased/s3cr3t", "/messages/@alice"]
)
def test_secret_links_and_conversations_have_neither_path_nor_target(lines, path):
    Client().get(path)
    assert not {"path", "target"} & last(lines).keys()


def test_no_route_of_the_site_tells_a_name_or_a_secret():
    for route in routes(get_resolver().url_patterns):
        names = ("handle", "tag", "name", "secret", "token", "address", "code", "kind", "rule_id")
        assert "s3cr3t" not in safe_path(route, dict.fromkeys(names, "s3cr3t")), route


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("198.51.100.7", "198.51.100.0/24"),
        ("2001:db8:1:2::", "2001:db8:1::/48"),
        ("unknown", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_network_is_one_that_many_share(address, network):
    assert network_of(address) == network


def test_a_request_that_waited_too_long_says_who_asked_and_for_what(lines):
    note_refusal("GET", 2.0, path="/@alice", address=ADDRESS)
    line = last(lines)
    assert (line["network"], line["target"]) == ("198.51.100.0/24", target_of("/@alice"))
    assert not [name for name in NAMES if name in lines()[-1]]


# One line for several reads


@pytest.fixture
def chance(monkeypatch, settings):
    """What is drawn for each read: with 0 it has a line."""
    settings.LOG_READS = 10
    drawn = [5]
    monkeypatch.setattr(observation.secrets, "randbelow", lambda bound: drawn[0] % bound)
    return drawn


def test_of_reads_that_went_well_one_in_so_many_has_a_line(table, lines, chance):
    Client().get("/about")
    assert lines() == []
    chance[0] = 0
    Client().get("/about")
    assert last(lines)["stands_for"] == 10


def test_writes_and_errors_always_have_one(alice, log_in, lines, chance):
    Client().get("/nowhere")
    log_in(alice).post("/logout", headers=HTMX)
    assert [json.loads(line)["method"] for line in lines()][-2:] == ["GET", "POST"]
    assert all("stands_for" not in line for line in lines())


# manage.py who_asked


def line_of(at: str, path: str = "/@alice", **fields) -> str:
    line = {"time": f"2026-11-28T{at}.000+00:00", "logger": "requests", "method": "GET"}
    known = {"route": "@<handle:handle>", "status": 200, "target": target_of(path)}
    return json.dumps(line | known | fields) + "\n"


LOG = [
    line_of("14:59:59", network="192.0.2.0/24"),
    line_of("15:00:00", network="198.51.100.0/24", account="01B"),
    f"Nov 28 15:01:00 host gunicorn[7]: {line_of('15:01:00', network='198.51.100.0/24')}",
    line_of("15:02:00", "/@bob", network="203.0.113.0/24"),
    line_of("15:03:00", network="198.51.100.0/24", stands_for=10),
    '{"time": "2026-11-28T15:04:00.000+00:00", "logger": "requests", broken\n',
    "audit log is at 5\n",
    '{"logger": "worker", "message": "of \\"requests\\""}\n',
]


def asked(*args: str, log: list[str] = LOG, **options) -> str:
    told = io.StringIO()
    call_command("who_asked", *args, stdin=io.StringIO("".join(log)), stdout=told, **options)
    return told.getvalue()


@pytest.fixture(autouse=True)
def half_past_three(monkeypatch):
    monkeypatch.setattr("operations.management.commands.who_asked.utc_now", lambda: NOW)


def test_it_counts_who_asked_for_an_address_since_a_time():
    told = asked("/@alice", since="15:00")
    assert "about 12 requests, as 3 lines say" in told
    assert "198.51.100.0/24" in told
    assert "192.0.2.0/24" not in told
    assert "203.0.113.0/24" not in told
    assert "1 lines cannot be read" in told


def test_an_address_may_be_typed_as_a_browser_shows_it():
    assert asked("https://example.org/@Alice?page=2", since="15:00") == asked(
        "/@alice", since="15:00"
    ).replace("/@alice", "https://example.org/@Alice?page=2")


def test_a_route_and_all_addresses_can_be_asked_for():
    assert "13 requests" in asked("/@<handle:handle>", since="15:00")
    assert "14 requests" in asked(since="14:00")


def test_it_ends_where_it_is_told_to():
    assert "2 requests" in asked("/@alice", since="15:00", until="15:02")


def test_it_reads_files(tmp_path):
    file = tmp_path / "site.log"
    file.write_text("".join(LOG))
    assert "about 12 requests" in asked("/@alice", "--since", "15:00", "--log", str(file), log=[])
    with pytest.raises(CommandError, match="cannot read"):
        asked("/@alice", "--log", str(tmp_path / "none.log"))


def test_what_is_not_found_is_said():
    assert "0 requests" in asked("/@carol", since="15:00")


def test_what_is_no_address_is_a_sentence():
    with pytest.raises(CommandError, match="is no address"):
        asked("http://[bad")


def test_very_many_networks_fill_no_memory(monkeypatch):
    monkeypatch.setattr("operations.who_asked.MOST_KINDS", 3)
    log = [line_of("15:00:00", network=f"10.0.{number}.0/24") for number in range(9)]
    told = asked("/@alice", since="15:00", log=log)
    assert "others" in told
    assert "by network (4)" in told


def test_a_time_of_the_day_is_the_last_one():
    assert moment_of("15:00", NOW) == NOW.replace(minute=0)
    assert moment_of("16:00", NOW).day == 27
    assert moment_of("2026-11-01T10:00", NOW) == datetime(2026, 11, 1, 10, tzinfo=UTC)
    for wrong in ("three", "25:00", "2026-13-01", "0001-01-01T00:00+14:00"):
        with pytest.raises(NoSuchTime):
            moment_of(wrong, NOW)


def test_what_the_site_writes_is_what_the_command_finds(alice, log_in, lines, monkeypatch):
    log_in(alice).get("/@alice", REMOTE_ADDR=ADDRESS)
    monkeypatch.undo()
    told = asked("/@alice", log=[f"{line}\n" for line in lines()], since="2020-01-01")
    assert "198.51.100.0/24" in told
    assert alice.user_id in told

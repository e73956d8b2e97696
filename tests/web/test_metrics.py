"""`/metrics`: counts for operators, for the holder of a token or a program on the same machine alone."""

import os
import re
import subprocess
import sys

import pytest
from django.conf import settings as site_settings
from django.test import Client

from socialsite.streams.worker import Worker
from tests.conftest import PASSWORD, post

TOKEN = "a-long-random-token"


def scrape(**headers: str) -> str:
    response = Client().get("/metrics", headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def value_of(name: str, **labels: str) -> float:
    """The value of the one line with these labels, 0 if there is none yet."""
    found = 0.0
    for line in scrape().splitlines():
        if line.startswith((f"{name}{{", f"{name} ")) and all(
            f'{label}="{value}"' in line for label, value in labels.items()
        ):
            found += float(line.rsplit(" ", 1)[1])
    return found


# Readers


@pytest.mark.usefixtures("table")
def test_a_program_on_the_same_machine_may_read_it():
    response = Client().get("/metrics")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain")
    assert "no-cache" in response["Cache-Control"]


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("address", ["203.0.113.5", "10.0.0.7", "2001:db8::1", "", "nonsense"])
def test_another_machine_may_not(address):
    assert Client().get("/metrics", REMOTE_ADDR=address).status_code == 404


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_a_request_that_a_proxy_on_this_machine_passes_on_may_not(header):
    assert Client().get("/metrics", headers={header: "203.0.113.5"}).status_code == 404


@pytest.mark.usefixtures("table")
def test_behind_a_proxy_it_needs_the_token(settings):
    settings.TRUSTED_PROXY_HOPS = 1
    assert Client().get("/metrics").status_code == 404


@pytest.mark.usefixtures("table")
def test_with_a_token_it_is_open_to_its_holder_alone(settings):
    settings.METRICS_TOKEN, settings.TRUSTED_PROXY_HOPS = TOKEN, 1
    assert scrape(Authorization=f"Bearer {TOKEN}")
    for wrong in ("", TOKEN, f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer "):
        assert Client().get("/metrics", headers={"Authorization": wrong}).status_code == 404


# What it counts


def test_requests_by_route_method_and_status_and_never_by_address(alice, log_in):
    browser = log_in(alice)
    before = value_of("site_requests_total", route="@<handle:handle>", status="200")
    browser.get("/@alice")
    browser.get("/@alice")
    assert value_of("site_requests_total", route="@<handle:handle>", status="200") == before + 2
    assert "/@alice" not in scrape()


@pytest.mark.usefixtures("table")
def test_a_method_or_address_that_somebody_makes_up_adds_no_line():
    Client().generic("BREW", "/made/up/1")
    scrape()  # which has lines of its own from then on
    lines = len(scrape().splitlines())
    for number in range(5):
        Client().generic(f"BREW{number}", f"/made/up/{number}")
    assert len(scrape().splitlines()) == lines


def test_calls_and_units_by_access_pattern(alice, log_in):
    browser = log_in(alice)
    labels = {"access_pattern": "get_timeline"}
    calls, units = (value_of(f"dynamodb_{name}_total", **labels) for name in ("calls", "units"))
    browser.get("/")
    assert value_of("dynamodb_calls_total", **labels) > calls
    assert value_of("dynamodb_units_total", **labels, kind="read") > units


@pytest.mark.usefixtures("engine_faulty")
def test_a_faulty_engine_is_counted_by_its_error_code():
    before = value_of("dynamodb_errors_total")
    Client().get("/@alice")
    assert value_of("dynamodb_errors_total") > before
    assert value_of("table_up") == 0


def test_sign_ins_and_failures(alice):
    good, bad = (
        value_of("security_events_total", event=name) for name in ("signed-in", "wrong-password")
    )
    Client().post("/login", {"account": "alice", "password": PASSWORD})
    Client().post("/login", {"account": "alice", "password": "another one"})
    assert value_of("security_events_total", event="signed-in") == good + 1
    assert value_of("security_events_total", event="wrong-password") == bad + 1


def test_the_worker_and_what_it_did(alice):
    assert value_of("worker_up") == 0  # none has begun
    read, batches = value_of("worker_records_total"), value_of("worker_batches_total")
    post(alice)
    Worker().drain()
    assert value_of("worker_records_total") > read
    assert value_of("worker_batches_total") > batches
    assert value_of("table_up") == 1
    assert value_of("worker_dead_letters") == 0


def test_no_id_handle_or_address_is_in_it(alice, log_in):
    post_id = post(alice)
    log_in(alice).get(f"/@alice/posts/{post_id}")
    text = scrape()
    for secret in (alice.user_id, post_id, "alice", "127.0.0.1", site_settings.SECRET_KEY):
        assert secret not in text


@pytest.mark.usefixtures("table")
def test_it_is_in_the_format_of_prometheus():
    line = re.compile(r'(# (HELP|TYPE) \S+ .*|[a-z_]+(\{([a-z_]+="[^"]*",?)*\})? \S+)')
    assert not [text for text in scrape().splitlines() if not line.fullmatch(text)]


COUNT = "from socialsite.observing import metrics; metrics.RECORDS.inc(3)"
SUM = "from socialsite.web.pages import _counts, generate_latest as g; print(g(_counts()).decode())"


def test_several_processes_are_summed_up(tmp_path):
    shared = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    said = ""
    for code in (COUNT, COUNT, f"import django; django.setup(); {SUM}"):
        command = [sys.executable, "-c", code]
        said = subprocess.run(
            command, env=shared, capture_output=True, text=True, check=True
        ).stdout
    assert "worker_records_total 6.0" in said

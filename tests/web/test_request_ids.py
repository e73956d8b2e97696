"""Every request has an id: in its answer, on its error page, and in each line that it logs."""

import json
import logging
from dataclasses import replace

import pytest
from django.test import Client

from feed.composing import views
from socialsite.observing import logs
from socialsite.observing.logs import JsonFormatter, LineFormatter
from socialsite.table import ids
from socialsite.web import pages
from tests.conftest import HTMX
from tests.web.html import Html

HEADER = "X-Request-ID"


def shown_id(response) -> str:
    (element,) = Html(response).all("p", class_="request-id")
    return element.text.rpartition(" ")[2]


@pytest.mark.parametrize("path", ["/login", "/about", "/healthz", "/not/there", "/static/none.css"])
def test_every_answer_has_an_id_of_its_own(table, path):
    first, second = (Client().get(path)[HEADER] for _ in range(2))
    assert ids.is_id(first)
    assert ids.is_id(second)
    assert first != second


def test_a_file_has_none(served_static):
    response = Client().get("/static/css/base.css")
    assert response.status_code == 200
    assert HEADER not in response


def test_a_fragment_has_one_too(alice, log_in):
    assert ids.is_id(log_in(alice).get("/people-to-follow", headers=HTMX)[HEADER])


@pytest.mark.parametrize(
    ("status", "ask"),
    [
        (400, lambda browser: browser.get("/local?page=nonsense")),
        (400, lambda browser: browser.get("/", HTTP_HOST="evil.example")),
        (403, lambda browser: browser.post("/login", {"account": "x"})),
        (404, lambda browser: browser.get("/not/there")),
    ],
)
def test_error_pages_show_the_id(table, status, ask):
    response = ask(Client(enforce_csrf_checks=True, raise_request_exception=False))
    assert response.status_code == status
    assert shown_id(response) == response[HEADER]


def test_the_page_for_too_many_requests_shows_the_id(alice, log_in, monkeypatch):
    monkeypatch.setattr(views, "POSTS", replace(views.POSTS, hits=1))
    browser = log_in(alice)
    for nonce in ("n" * 22, "m" * 22):
        response = browser.post("/posts", {"content": "Hello", "nonce": nonce})
    assert response.status_code == 429
    assert shown_id(response) == response[HEADER]


def test_the_pages_for_faults_show_the_id(engine_down):
    response = Client(raise_request_exception=False).get("/local")
    assert response.status_code == 503
    assert shown_id(response) == response[HEADER]


def test_the_page_for_errors_of_the_site_shows_the_id(table, monkeypatch, settings):
    settings.DEBUG = False
    settings.SECURE_SSL_REDIRECT = False
    monkeypatch.setattr(pages, "site_rules", lambda: 1 / 0)
    response = Client(raise_request_exception=False).get("/rules")
    assert response.status_code == 500
    assert shown_id(response) == response[HEADER]


def test_nobody_outside_chooses_the_id(table):
    given = "chosen-outside-123"
    assert Client().get("/about", headers={HEADER: given})[HEADER] != given


def test_a_trusted_proxy_chooses_the_id_if_it_is_one(table, settings):
    settings.TRUSTED_PROXY_HOPS = 1
    browser = Client(headers={"X-Forwarded-For": "198.51.100.1"})
    given = "1-67891233-abcdef012345678912345678"
    assert browser.get("/about", headers={HEADER: given})[HEADER] == given
    for strange in ("short", "a b c d e f g", "x" * 65, "<script>alert(1)</script>", "line\\nline"):
        assert ids.is_id(browser.get("/about", headers={HEADER: strange})[HEADER])


@pytest.fixture
def record():
    token = logs.request_id.set("01ARZ3NDEKTSV4RRFFQ69G5FAV")
    made = logging.LogRecord("site", logging.INFO, "f", 1, "at %s", ("/a\nforged line",), None)
    made.fields = {"account": "01B", "address": "198.51.100.1\r\nforged"}
    yield made
    logs.request_id.reset(token)


def test_a_line_of_development_is_one_line_with_fields_and_request(record):
    line = LineFormatter("{levelname} {name} {message}", style="{").format(record)
    assert line == (
        "INFO site at /a\\nforged line account=01B address=198.51.100.1\\r\\nforged "
        "request=01ARZ3NDEKTSV4RRFFQ69G5FAV"
    )


def test_a_line_of_production_is_one_json_object(record):
    line = JsonFormatter().format(record)
    assert "\n" not in line
    found = json.loads(line)
    assert found["message"] == "at /a\nforged line"
    assert found["account"] == "01B"
    assert found["request"] == "01ARZ3NDEKTSV4RRFFQ69G5FAV"
    assert found["time"].endswith("+00:00")


def test_a_traceback_stays_in_its_json_line(record):
    try:
        raise ValueError("broken")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    line = JsonFormatter().format(record)
    assert "\n" not in line
    assert "ValueError: broken" in json.loads(line)["trace"]

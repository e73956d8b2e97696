"""The log of production names nobody whose page was asked for, and what strangers send is no error in it."""

import io
import json
import logging.config
from collections.abc import Callable, Iterator

import pytest
from django.core.exceptions import DisallowedHost, RequestDataTooBig, SuspiciousOperation
from django.test import Client

from socialsite.observing.logs import logging_setup
from tests.conftest import post

PRIVATE = ("alice", "bob", "s3cr3t")


@pytest.fixture
def lines(settings) -> Iterator[Callable[[], list[dict[str, str]]]]:
    """`lines()`: every line that production has written so far."""
    production, written = logging_setup(debug=False), io.StringIO()
    production["handlers"]["console"]["stream"] = written
    logging.config.dictConfig(production)
    yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    logging.config.dictConfig(settings.LOGGING)


def said(lines: list[dict[str, str]]) -> str:
    return json.dumps([{**line, "trace": ""} for line in lines])


@pytest.mark.parametrize(
    "ask",
    [
        lambda browser, post_id: browser.get("/@alice-of-nowhere/s3cr3t"),
        lambda browser, post_id: browser.get("/@alice/posts/01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        lambda browser, post_id: browser.get("/@alice/follow"),
        lambda browser, post_id: browser.post("/@alice/follow", {"on": "maybe"}),
        lambda browser, post_id: browser.get(f"/@alice/posts/{post_id}?page=s3cr3t"),
        lambda browser, post_id: browser.get("/password/reset/s3cr3t"),
        lambda browser, post_id: browser.get("/@alice", headers={"Host": "s3cr3t.example"}),
        lambda browser, post_id: browser.post(
            "/@alice/follow", {"on": "1"}, headers={"Origin": "https://s3cr3t.example"}
        ),
        lambda browser, post_id: browser.post("/@alice/follow", {f"f{n}": 1 for n in range(99)}),
        lambda browser, post_id: browser.post(
            "/@alice/follow", "x", content_type="multipart/form-data; boundary=s3cr3t-\x7f"
        ),
        lambda browser, post_id: browser.generic("S3CR3T", "/@alice"),
    ],
    ids=[
        "nowhere",
        "no post",
        "method",
        "field",
        "cursor",
        "link",
        "host",
        "form",
        "fields",
        "parts",
        "verb",
    ],
)
def test_a_refusal_names_nobody_and_is_no_error(alice, bob, log_in, lines, settings, ask):
    settings.ALLOWED_HOSTS = ["testserver"]
    browser = log_in(bob)
    browser.handler.enforce_csrf_checks = True
    assert ask(browser, post(alice)).status_code in range(301, 500)
    found = lines()
    assert [line["level"] for line in found if line["level"] not in ("INFO", "WARNING")] == []
    assert not [name for name in PRIVATE if name in said(found).lower()]
    assert any(line["logger"] == "requests" for line in found)


@pytest.mark.parametrize("error", [SuspiciousOperation, DisallowedHost, RequestDataTooBig])
def test_what_django_calls_suspicious_is_no_error_either(lines, error):
    logger = logging.getLogger(f"django.security.{error.__name__}")
    logger.error("of s3cr3t", extra={"status_code": 400, "request": None})
    (line,) = lines()
    assert (line["level"], line["message"]) == ("WARNING", "answered 400 at none")


def test_a_fault_is_an_error_that_names_its_route(alice, bob, log_in, monkeypatch, lines):
    monkeypatch.setattr("relations.follows.views.wanted_state", lambda request: 1 / 0)
    browser = log_in(bob)
    browser.raise_request_exception = False
    assert browser.post("/@alice/follow", {"on": "1"}).status_code == 500
    (fault,) = [line for line in lines() if line["level"] == "ERROR"]
    assert fault["logger"] == "django.request"
    assert fault["message"] == "answered 500 at @<handle:handle>/follow"
    assert "ZeroDivisionError" in fault["trace"]
    assert "alice" not in said(lines())


def test_an_engine_that_is_down_is_told_without_the_page_that_noticed(engine_down, lines):
    assert Client(raise_request_exception=False).get("/@alice").status_code == 503
    assert "alice" not in said(lines())
    assert any(line["message"].startswith("503 at @<handle:handle>") for line in lines())


def test_every_line_goes_to_the_console_and_nowhere_else():
    for debug in (True, False):
        made = logging_setup(debug=debug)
        assert {one["class"] for one in made["handlers"].values()} == {"logging.StreamHandler"}
        assert {name for one in made["loggers"].values() for name in one.get("handlers", ())} == {
            "console"
        }

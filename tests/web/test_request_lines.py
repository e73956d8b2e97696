"""Each request leaves one line: route, status, time and cost, with the request's id and nothing private."""

import json
import logging

import pytest
from django.test import Client

from socialsite.observing.logs import JsonFormatter
from tests.conftest import post


@pytest.fixture
def lines(caplog):
    """The fields of each request's line, and the whole line as production writes it."""
    caplog.set_level(logging.INFO, logger="requests")
    return lambda: [
        json.loads(JsonFormatter().format(record))
        for record in caplog.records
        if record.name == "requests"
    ]


def test_a_page_has_one_line_with_its_cost(alice, log_in, lines):
    answer = log_in(alice).get("/")
    (line,) = lines()
    assert (line["method"], line["route"], line["status"]) == ("GET", "/", 200)
    assert line["request"] == answer["X-Request-ID"]
    assert line["calls"] == 2  # the viewer, and a timeline without posts
    assert line["read_units"] > 0
    assert line["ms"] > 0


def test_a_write_has_its_write_units(alice, bob, log_in, lines):
    log_in(bob).post("/@alice/follow", {"on": "1"})
    assert lines()[-1]["write_units"] >= 12


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/nowhere", "GET", 404), ("/logout", "GET", 405), ("/@alice/follow", "POST", 302)],
)
def test_refusals_have_one_too(lines, path, method, status):
    Client().generic(method, path)
    assert [line["status"] for line in lines()] == [status]


def test_a_refused_host_has_one_too(settings, lines):
    settings.ALLOWED_HOSTS = ["social.example"]
    Client().get("/", headers={"Host": "evil.example"})
    assert [line["status"] for line in lines()] == [400]


def test_it_names_neither_address_nor_person_nor_query(alice, log_in, lines):
    post_id = post(alice)
    log_in(alice).get(f"/@alice/posts/{post_id}?before=something")
    text = json.dumps(lines())
    for private in (post_id, alice.user_id, "alice", "something"):
        assert private not in text

"""`/healthz` says that the process answers, `/readyz` that the table does too."""

import pytest
from django.test import Client

from socialsite.due.clock import Beats
from socialsite.due.work import do_due
from socialsite.streams.worker import Worker
from tests.web.html import Html


def test_a_living_process_says_so_without_the_table(engine_down):
    response = Client().get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert response["Content-Type"].startswith("text/plain")


@pytest.mark.usefixtures("table")
def test_ready_means_that_the_table_answers_and_the_worker_works():
    assert Client().get("/readyz").json()["status"] == "degraded"
    worker = Worker()
    worker.step()
    for reader in worker.readers.values():
        reader.lease.beaten_at = 0
        reader.lease.keep()
    assert Client().get("/readyz").json()["status"] == "degraded"  # no clock yet
    do_due(beat=Beats())
    response = Client().get("/readyz")
    assert (response.status_code, response.json()["status"]) == (200, "ok")
    assert response.json()["worker"]["working"] is True


@pytest.mark.parametrize("trouble", ["engine_down", "engine_faulty"])
def test_not_ready_says_when_to_ask_again(request, trouble):
    request.getfixturevalue(trouble)
    response = Client().get("/readyz")
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert response.json() == {"status": "unavailable", "error": "Unavailable"}


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.parametrize("host", ["10.0.0.7", "10.0.0.7:8000", "evil.example", "not a host"])
def test_both_answer_any_host_without_https(settings, path, host):
    """A load balancer asks a machine by its address."""
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["social.example"]
    assert Client().get(path, HTTP_HOST=host).status_code == 200
    assert Client().get(path, HTTP_HOST=host, secure=True).status_code == 200


@pytest.mark.parametrize("path", ["/", "/about", "/healthz/", "/healthzz", "/x/healthz"])
def test_every_other_address_wants_https_and_a_known_host(settings, path):
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["social.example"]
    assert Client().get(path, HTTP_HOST="social.example").status_code == 301
    assert Client().get(path, HTTP_HOST="10.0.0.7", secure=True).status_code == 400


def test_neither_touches_the_session(alice, log_in):
    browser = log_in(alice)
    for path in ("/healthz", "/readyz"):
        assert not browser.get(path).cookies


@pytest.mark.parametrize(
    "path", ["/", "/about", "/local", "/@alice", "/login", "/signup", "/healthz", "/readyz"]
)
def test_head_is_answered_as_get_is(alice, path):
    """Monitors and link previews ask so."""
    response = Client().head(path)
    assert response.status_code == 200
    assert response.content == b""


def test_the_about_page_is_for_everybody(alice, log_in):
    visitor, member = Html(Client().get("/about")), Html(log_in(alice).get("/about"))
    assert visitor.all("a", class_="button", href="/signup")
    assert not member.all("a", class_="button", href="/signup")

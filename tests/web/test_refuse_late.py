"""A request that waited too long is refused before anything looks at it; who says how long is believed with care."""

import json
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest

from socialsite.observing import logs, metrics
from socialsite.observing.logs import JsonFormatter
from socialsite.web.bodies import LONGEST, RefuseLate, age_of
from tests.faults.processes import wait_until


class Site:
    """An application that notes whether it was asked."""

    asked = False

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.asked = True
        start_response("200 OK", [])
        return [b"a page"]


def ask(site: Site, **environ: Any) -> tuple[str, dict[str, str], bytes]:
    started: list[Any] = []
    body = RefuseLate(site)({"PATH_INFO": "/", **environ}, lambda *said: started.extend(said))
    return started[0], dict(started[1]), b"".join(body)


def ago(seconds: float) -> str:
    return f"t={time.time() - seconds:.3f}"


@pytest.fixture
def behind_a_proxy(settings) -> None:
    settings.TRUSTED_PROXY_HOPS = 1


@pytest.fixture
def connection() -> Iterator[socket.socket]:
    """The server's end of a connection on which one byte came."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = socket.create_connection(listener.getsockname())
        client.sendall(b"G")
        server, _ = listener.accept()
        yield server
        client.close()
        server.close()


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_late_request_is_refused_and_told_when_to_come_back():
    site = Site()
    status, headers, body = ask(site, HTTP_X_REQUEST_START=ago(LONGEST + 1))
    assert status == "503 Service Unavailable"
    assert int(headers["Retry-After"]) > 0
    assert int(headers["Content-Length"]) == len(body)
    assert headers["Cache-Control"] == "no-store"
    assert b"try again" in body
    assert not site.asked


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_refusal_has_a_line_in_the_log_and_counts(caplog):
    late, labels = ago(LONGEST + 1), ("none", "GET", 503)
    before = metrics.REQUESTS.labels(*labels)._value.get()
    with caplog.at_level("INFO", "requests"):
        logs.request_id.set("of-the-one-before")
        given = {"REQUEST_METHOD": "GET", "HTTP_X_REQUEST_ID": "id-by-the-proxy"}
        _, headers, _ = ask(Site(), HTTP_X_REQUEST_START=late, **given)
        ask(Site(), HTTP_X_REQUEST_START=late, REQUEST_METHOD="BREW")
    [line, of_another] = [json.loads(JsonFormatter().format(one)) for one in caplog.records]
    assert (line["message"], line["status"], line["method"]) == ("refused", 503, "GET")
    assert line["waited_ms"] > LONGEST * 1000
    assert headers["X-Request-ID"] == "id-by-the-proxy"
    assert of_another["method"] == "other"
    assert metrics.REQUESTS.labels(*labels)._value.get() == before + 1


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_request_in_time_is_served():
    site = Site()
    assert ask(site, HTTP_X_REQUEST_START=ago(0.1))[0] == "200 OK"
    assert site.asked


@pytest.mark.usefixtures("behind_a_proxy")
def test_a_balancer_that_asks_for_health_late_is_answered():
    late = ago(LONGEST + 1)
    assert ask(Site(), PATH_INFO="/healthz", HTTP_X_REQUEST_START=late)[0] == "200 OK"
    assert ask(Site(), PATH_INFO="/readyz", HTTP_X_REQUEST_START=late)[0].startswith("503")


def test_without_a_trusted_proxy_nobody_is_believed(settings):
    """Else anyone could be refused, or keep themselves from it, by a header of their own."""
    settings.TRUSTED_PROXY_HOPS = 0
    assert age_of({"HTTP_X_REQUEST_START": ago(5)}) == 0


@pytest.mark.usefixtures("behind_a_proxy")
@pytest.mark.parametrize("unit", [1, 1000], ids=["seconds of nginx", "milliseconds of HAProxy"])
@pytest.mark.parametrize("prefix", ["t=", ""])
def test_seconds_and_milliseconds_are_understood(unit, prefix):
    start = f"{prefix}{(time.time() - 5) * unit:.3f}"
    assert age_of({"HTTP_X_REQUEST_START": start}) == pytest.approx(5, abs=1)


@pytest.mark.usefixtures("behind_a_proxy")
@pytest.mark.parametrize(
    "start",
    ["", "t=", "t=now", "t=nan", "t=inf", "t=-inf", "t=0", "t=-5", "t=1e400", "t=99999999999"],
)
def test_nonsense_and_other_clocks_refuse_nobody(start):
    assert age_of({"HTTP_X_REQUEST_START": start}) == 0
    assert age_of({"HTTP_X_REQUEST_START": ago(-30)}) == 0


def test_the_kernel_knows_how_long_a_connection_has_waited(connection):
    environ = {"gunicorn.socket": connection}
    assert age_of(environ) < 60
    waited = age_of(environ)
    wait_until(lambda: age_of(environ) >= waited + 0.2, seconds=30)


def test_a_connection_that_is_not_tcp_or_is_closed_has_no_age(connection):
    one, other = socket.socketpair()
    with one, other:
        assert age_of({"gunicorn.socket": one}) == 0
    connection.close()
    assert age_of({"gunicorn.socket": connection}) == 0
    assert age_of({}) == 0

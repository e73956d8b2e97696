"""`make serve` and `make run` serve news for open pages at the site's own address, and start what tells them anew."""

import http.client
import os
import re
import signal
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from operations.serving.live import relayed
from tests.faults.processes import wait_until
from tests.operations.commands.test_runserver import running
from tests.operations.serving.served import (
    Browser,
    Served,
    children_of,
    needs_nginx,
    served,
)

pytestmark = [
    pytest.mark.engines("embedded", reason="the command starts its own engine"),
    pytest.mark.timeout(400),
]
OPEN = b"data: open"
BELL_HEARD = re.compile(r'live_news_total{news="bell"} [1-9]')  # counted once it was told


def stream(browser: Browser) -> tuple[int, http.client.HTTPResponse]:
    connection = browser._connect()
    connection.request("GET", "/live?ago=0", headers=browser.headers)
    response = connection.getresponse()
    return response.status, response


def hears(response: http.client.HTTPResponse, line: bytes) -> bool:
    return any(found.strip() == line for found in iter(response.readline, b""))


def follow(reader: Browser, handle: str) -> None:
    reader.get(f"/@{handle}")
    reader.post(f"/@{handle}/follow", on="1")


@needs_nginx
def test_nginx_leads_to_it_a_bell_is_heard_and_while_it_is_away_pages_are_told_so(tmp_path: Path):
    with served(tmp_path, METRICS_TOKEN="token") as site:
        alice, bob = site.browser(), site.browser()
        alice.sign_up("alice")
        bob.sign_up("bob")
        status, response = stream(alice)
        assert status == 200
        assert response.headers["Cache-Control"] == "no-store"
        assert hears(response, OPEN)
        follow(bob, "alice")
        assert hears(response, b"data: bell")
        wait_until(
            lambda: bool(BELL_HEARD.search(alice.get("/metrics", token="token"))), seconds=60
        )
        before = kill(site)
        assert stream(alice)[0] in (200, 204)
        wait_until(lambda: site.child(b"run_live") not in (0, before), seconds=60)
        wait_until(lambda: stream(alice)[0] == 200, seconds=60)
        open_at_the_end = stream(alice)[1]
        assert site.stop() == 0
        assert hears(open_at_the_end, OPEN)


def kill(site: Served) -> int:
    before = site.child(b"run_live")
    os.kill(before, signal.SIGKILL)
    return before


def test_without_nginx_gunicorn_relays_it(tmp_path: Path):
    with served(tmp_path, NGINX="0", WEB_CONCURRENCY="1") as site:
        alice, bob = site.browser(), site.browser()
        alice.sign_up("alice")
        bob.sign_up("bob")
        wait_until(lambda: stream(alice)[0] == 200, seconds=60)
        status, response = stream(alice)
        assert (status, hears(response, OPEN)) == (200, True)
        follow(bob, "alice")
        assert hears(response, b"data: bell")
        open_at_the_end = stream(alice)[1]
        assert site.stop() == 0
        open_at_the_end.read()


class Streaming(BaseHTTPRequestHandler):
    """Tells a page one line, and stays."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(OPEN + b"\n\n")
        self.rfile.read()  # until the other side ends


def test_it_is_relayed_to_as_many_pages_as_leave_room_for_requests():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Streaming)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    began: list[str] = []

    def site(environ, start_response):
        start_response("204 No Content", [])
        return []

    def ask():
        asked = {"PATH_INFO": "/live", "REQUEST_METHOD": "GET"}
        return application(asked, lambda status, headers: began.append(status[:3]))

    application = relayed(site, f"127.0.0.1:{server.server_port}", at_most=2)
    first, second, third = ask(), ask(), ask()
    assert began == ["200", "200", "204"]
    assert list(third) == []
    assert next(iter(first)).startswith(OPEN)
    for _ in range(2):  # as a server may
        first.close()
    more, others = ask(), ask()
    assert began[3:] == ["200", "204"]
    assert list(others) == []
    for one in (second, more):
        one.close()
    server.shutdown()


def test_without_it_the_site_runs_and_says_that_nobody_tells(tmp_path: Path):
    with served(tmp_path, NGINX="0", LIVE="0") as site:
        alice = site.browser()
        alice.sign_up("alice")
        assert stream(alice)[0] == 204
        assert site.child(b"run_live") == 0


def test_runserver_passes_it_on_and_starts_it_anew(tmp_path: Path):
    with running(tmp_path / "var", DEMO="0") as site:
        alice, bob = (Browser(site.port, plainly=True) for _ in range(2))
        alice.sign_up("alice")
        bob.sign_up("bob")
        wait_until(lambda: stream(alice)[0] == 200, seconds=60)
        response = stream(alice)[1]
        assert hears(response, OPEN)
        follow(bob, "alice")
        assert hears(response, b"data: bell")
        (before,) = found(site.process.pid)
        os.kill(before, signal.SIGKILL)
        wait_until(lambda: found(site.process.pid) not in ([], [before]), seconds=60)
        wait_until(lambda: stream(alice)[0] == 200, seconds=60)


def found(process: int) -> list[int]:
    """The processes below it that tell open pages."""
    below, waiting = [], [process]
    while waiting:
        more = children_of(waiting.pop())
        below += more
        waiting += more
    return [one for one in below if b"run_live" in read(one)]


def read(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""

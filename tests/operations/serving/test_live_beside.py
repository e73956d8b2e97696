"""`make serve` and `make run` serve news for open pages at the site's own address, and start what tells them anew."""

import http.client
import os
import signal
from pathlib import Path

import pytest

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
STREAMS = 32  # operations/serving/without_nginx.py


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
        assert 'live_news_total{news="bell"} 1.0' in alice.get("/metrics", token="token")
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


def test_without_nginx_gunicorn_relays_it_to_as_many_pages_as_leave_room_for_requests(
    tmp_path: Path,
):
    with served(tmp_path, NGINX="0", WEB_CONCURRENCY="1") as site:
        alice, bob = site.browser(), site.browser()
        alice.sign_up("alice")
        bob.sign_up("bob")
        wait_until(lambda: stream(alice)[0] == 200, seconds=60)
        status, response = stream(alice)
        assert (status, hears(response, OPEN)) == (200, True)
        follow(bob, "alice")
        assert hears(response, b"data: bell")
        more = [stream(bob) for _ in range(STREAMS + 3)]
        told = [status for status, _ in more]
        assert set(told) == {200, 204}  # 204: nobody tells, so the page asks by itself
        assert told.count(200) <= STREAMS
        assert "@alice" in bob.get("/@alice")
        for _, one in more:
            one.close()
        open_at_the_end = stream(alice)[1]
        assert site.stop() == 0
        open_at_the_end.read()


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

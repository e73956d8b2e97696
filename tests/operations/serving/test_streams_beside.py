"""`make serve` and `make run` serve streams of apps at the site's own address, and write no token down."""

import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.faults.processes import wait_until
from tests.operations.commands.test_runserver import running
from tests.operations.serving.served import Browser, needs_nginx, served
from tests.operations.serving.test_live_beside import follow, kill

pytestmark = [
    pytest.mark.engines("embedded", reason="the command starts its own engine"),
    pytest.mark.timeout(400),
]
HERE = "urn:ietf:wg:oauth:2.0:oob"
STREAM = "/api/v1/streaming/user"


def token_for(browser: Browser) -> str:
    """Registers an app and allows it what it wants, as a person does it."""
    wanted = {"redirect_uris": HERE, "scopes": "read"}
    app = json.loads(browser.post("/api/v1/apps", client_name="Bot", **wanted))
    asked = {
        "client_id": app["client_id"],
        "redirect_uri": HERE,
        "response_type": "code",
        "scope": "read",
    }
    browser.get(f"/oauth/authorize?{urlencode(asked)}")
    page = browser.post("/oauth/authorize", **asked, allow="1")
    found = re.search(r"<code>\s*([^<\s]+)", page)
    assert found, page
    given = {
        "grant_type": "authorization_code",
        "client_id": app["client_id"],
        "client_secret": app["client_secret"],
        "redirect_uri": HERE,
        "code": found[1],
    }
    answer: dict[str, str] = json.loads(browser.post("/oauth/token", **given))
    return answer["access_token"]


def stream(browser: Browser, token: str) -> http.client.HTTPResponse:
    """Opens a stream as browsers do, which send no header of their own."""
    connection = browser._connect()
    headers = {"Host": browser.headers["Host"]}
    connection.request("GET", f"{STREAM}?access_token={token}", headers=headers)
    return connection.getresponse()


def events(response: http.client.HTTPResponse) -> Iterator[str]:
    for line in iter(response.readline, b""):
        if line.startswith(b"event: "):
            yield line.removeprefix(b"event: ").decode().strip()


def hears_of_a_follow(alice: Browser, bob: Browser, token: str) -> None:
    wait_until(lambda: stream(alice, token).status == 200, seconds=60)
    response = stream(alice, token)
    assert (response.status, response.headers["Content-Type"]) == (200, "text/event-stream")
    follow(bob, "alice")
    assert next(events(response)) == "notification"
    assert stream(alice, f"{token}x").status == 401


@needs_nginx
def test_nginx_leads_to_it_and_says_so_while_it_is_away(tmp_path: Path):
    with served(tmp_path) as site:
        alice, bob = site.browser(), site.browser()
        alice.sign_up("alice")
        bob.sign_up("bob")
        token = token_for(alice)
        hears_of_a_follow(alice, bob, token)
        kill(site)
        answer = stream(alice, token)
        if answer.status != 200:  # it may be there again
            assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
            assert json.loads(answer.read())["error"]
        wait_until(lambda: stream(alice, token).status == 200, seconds=60)
        assert site.stop() == 0
        assert token not in site.output


def test_without_nginx_gunicorn_relays_it(tmp_path: Path):
    with served(tmp_path, NGINX="0", WEB_CONCURRENCY="1") as site:
        alice, bob = site.browser(), site.browser()
        alice.sign_up("alice")
        bob.sign_up("bob")
        token = token_for(alice)
        hears_of_a_follow(alice, bob, token)
        assert site.stop() == 0
        assert token not in site.output


def test_runserver_passes_it_on(tmp_path: Path):
    with running(tmp_path / "var", DEMO="0") as site:
        alice, bob = (Browser(site.port, plainly=True) for _ in range(2))
        alice.sign_up("alice")
        bob.sign_up("bob")
        token = token_for(alice)
        hears_of_a_follow(alice, bob, token)
        assert token not in site.output()

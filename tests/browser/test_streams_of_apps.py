"""The story of an app in a browser: a page of another site hears what its person's home gets."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from notifications.live.streams import PER_TOKEN
from relations.follows.writes import follow
from socialsite.table.connection import endpoint
from tests.api.conftest import token_of
from tests.conftest import post
from tests.live import LiveProcess, served_by

pytestmark = pytest.mark.engines("embedded", reason="the process works beside the engine at hand")
HEARS = """address => {
  window.heard = [];
  const source = new EventSource(address);
  for (const name of ["update", "delete"]) {
    source.addEventListener(name, event => window.heard.push([name, JSON.parse(event.data)]));
  }
  return new Promise(resolve => {
    source.addEventListener("open", () => resolve("open"));
    source.addEventListener("error", () => resolve(`error ${source.readyState}`));
  });
}"""


@pytest.fixture
def live(table: str, tmp_path: Path, live_server: LiveServer) -> Iterator[LiveProcess]:
    process = LiveProcess(tmp_path, str(endpoint()), LIVE_SITE=live_server.url)
    with served_by(process):
        yield process
    process.kill()


class Empty(BaseHTTPRequestHandler):
    """A page of another site."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Says nothing."""


@pytest.fixture
def other_site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Empty)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.mark.usefixtures("worker")
def test_a_page_of_another_site_hears_what_comes_and_after_a_cut_what_it_missed(
    alice, bob, live, live_server, other_site, new_context: Callable[..., BrowserContext]
):
    follow(by=bob, user_id=alice.user_id)
    page: Page = new_context().new_page()
    page.goto(other_site)
    token = token_of(bob, "read")
    path = f"/api/v1/streaming/user?access_token={token}"
    stream, host = f"{live_server.url}{path}", live_server.url.removeprefix("http://")
    assert page.evaluate(HEARS, stream) == "open"
    page.wait_for_timeout(1000)
    first = post(alice, "She crosses over")
    page.wait_for_function("() => window.heard.length")
    name, status = page.evaluate("() => window.heard[0]")
    assert (name, status["id"][:26]) == ("update", first)
    cut = [live.ask(path, Host=host) for _ in range(PER_TOKEN)]  # the oldest of a token's ends
    second = post(alice, "Where the light stays on")
    page.wait_for_function(
        "id => window.heard.some(([, one]) => one.id.startsWith(id))", arg=second
    )
    assert len(cut) == PER_TOKEN

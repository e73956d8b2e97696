"""Apps that are websites: they wait in their own window while a person lets them in, and show the photos that this
person may see. What needs no browser of its own stands in `tests/api`."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from api.oauth.server import SHOWN_HERE
from photos.reads import picture_url
from relations.follows.writes import follow
from tests.api.conftest import App, new_app, token_of
from tests.conftest import PASSWORD
from tests.injected.faults import share
from tests.photos.conftest import *  # noqa: F403 - `folder`, `upload`

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def address(app, redirect: str = SHOWN_HERE) -> str:
    asked = {
        "client_id": app.client_id,
        "redirect_uri": redirect,
        "response_type": "code",
        "scope": "read write",
    }
    return f"/oauth/authorize?{urlencode(asked)}"


@pytest.mark.parametrize("language", share(["en", "de"], one_of=2, salt="pages of apps"))
def test_the_pages_of_apps_are_for_everyone_on_every_screen(alice, signed_in, look, language):
    app, _secret = new_app("read", "write")
    page: Page = signed_in(alice, locale=language)
    page.goto(address(app))
    assert look(page) == []
    page.locator("button[name=allow][value='1']").click()
    page.locator("main code").wait_for()
    assert look(page) == []
    token_of(alice, app=app)
    page.goto("/settings/security")
    assert look(page) == []


class _Back(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Back in the app")

    def log_message(self, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of an app that is a website of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Back)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/back"
    server.shutdown()


def test_an_app_that_is_a_website_waits_in_its_own_window_for_the_answer(
    alice, live_server, new_context, elsewhere
):
    """Also where the person signs in on the way."""
    app, _secret = new_app("read", "write", redirect=elsewhere)
    context = new_context()
    waiting: Page = context.new_page()
    waiting.goto(elsewhere)
    with context.expect_page() as opened:
        asked = f"{live_server.url}{address(app, elsewhere)}"
        waiting.evaluate("(asked) => { window.waited = open(asked, 'app', 'popup') }", asked)
    window = opened.value
    window.get_by_label("Handle or email").fill("alice")
    window.get_by_label("Password", exact=True).fill(PASSWORD)
    window.get_by_role("button", name="Sign in", exact=True).click()
    window.get_by_role("button", name="Allow", exact=True).click()
    expect(
        window.get_by_text("Back in the app"), "the policy lets the form lead there"
    ).to_be_visible()
    assert window.url.startswith(f"{elsewhere}?code=")
    assert window.evaluate("opener !== null")
    assert not waiting.evaluate("waited.closed")


LOADS = """(url) => new Promise((told) => {
    const img = new Image();
    img.onload = () => told(img.naturalWidth > 0);
    img.onerror = () => told(false);
    img.src = url;
})"""


def test_an_app_on_another_site_shows_the_photos_that_its_person_may_see(
    alice, bob, live_server, new_context, elsewhere, upload
):
    """Those for everyone, and those for some by the address that the API gave it; that of a page is no use there."""
    follow(by=alice, user_id=bob.user_id)
    theirs = App(token_of(bob))
    urls = []
    for visibility in ("public", "private"):
        photo = upload(bob)
        sent = {"status": "Look", "media_ids": photo.photo_id, "visibility": visibility}
        name = theirs.post("/api/v1/statuses", **sent)["id"]
        (told,) = App(token_of(alice)).get(f"/api/v1/statuses/{name}")["media_attachments"]
        urls.append(told["url"].replace("http://testserver", live_server.url))
    of_page = picture_url(photo.secret, 480, viewer_id=alice.user_id, owner_id=bob.user_id)
    page: Page = new_context().new_page()
    page.goto(elsewhere)
    shown = [page.evaluate(LOADS, url) for url in (*urls, f"{live_server.url}{of_page}")]
    assert shown == [True, True, False]

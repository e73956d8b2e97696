"""The story of an app: a person who is signed out lets it in with one press, copies the code, and ends it with one
press where they are signed in. All of it without scripts."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from api.oauth.server import SHOWN_HERE
from tests.api.conftest import App, new_app, token_of
from tests.conftest import PASSWORD

pytestmark = pytest.mark.engines("embedded", reason="looks at pages, which no engine changes")


def address(app, redirect: str = SHOWN_HERE) -> str:
    asked = {
        "client_id": app.client_id,
        "redirect_uri": redirect,
        "response_type": "code",
        "scope": "read write",
    }
    return f"/oauth/authorize?{urlencode(asked)}"


def test_an_app_is_let_in_and_ended_with_one_press_each(alice, visitor):
    app, _secret = new_app("read", "write")
    page: Page = visitor(java_script_enabled=False)
    page.goto(address(app))
    page.get_by_label("Handle or email").fill("alice")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Tusk")).to_be_visible()
    page.get_by_role("button", name="Allow", exact=True).click()
    code = page.locator("main code").inner_text()
    assert len(code) > 40
    caller = App(token_of(alice, app=app))
    page.goto("/settings/security")
    page.get_by_role("button", name="End Tusk").click()
    expect(page.get_by_role("button", name="End Tusk")).to_have_count(0)
    assert caller.ask("get", "/api/v1/timelines/home").status_code == 401


@pytest.mark.parametrize("language", ["en", "de"])
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


def test_the_policy_lets_the_form_lead_to_the_app(
    alice, log_in, live_server, new_context, elsewhere
):
    app, _secret = new_app("read", "write", redirect=elsewhere)
    context = new_context(base_url=live_server.url)
    name = settings.SESSION_COOKIE_NAME
    value = log_in(alice).cookies[name].value
    context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
    page: Page = context.new_page()
    page.goto(address(app, elsewhere))
    page.get_by_role("button", name="Allow", exact=True).click()
    expect(page.get_by_text("Back in the app")).to_be_visible()
    assert page.url.startswith(f"{elsewhere}?code=")

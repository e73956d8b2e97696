"""What tests of the API share: an app with a token as the services make it, and Mastodon.py as it comes from PyPI,
which signs in on the site's own page."""

import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import Client
from mastodon import Mastodon
from pytest_django.live_server_helper import LiveServer

from accounts.access.reads import AppCard, find_app
from accounts.access.writes import CODE_LASTS, begin_access, find_code, register_app
from accounts.grants.models import AppCode
from accounts.people.viewer import Viewer
from accounts.sessions import hash_secret
from api.oauth.server import SHOWN_HERE
from socialsite.clock import utc_now
from socialsite.table import RawItem, create, keys, query
from tests.conftest import epoch_of

ALL = ("read", "write", "follow", "push")


@pytest.fixture
def transactional_db() -> None:
    """pytest-django's live server asks for a database, of which the site has none."""


def new_app(*scopes: str, redirect: str = SHOWN_HERE) -> tuple[AppCard, str]:
    """Registers an app, and returns it with its secret."""
    app, secret = register_app(name="Tusk", website="", redirects=[redirect], scopes=scopes or ALL)
    found = find_app(app.client_id)
    assert found
    return found, secret


def give_code(viewer: Viewer, app: AppCard, code: str, *, scopes: str = "read") -> None:
    """Allows an app what `allow_app` does, for someone who is signed in nowhere."""
    create(
        AppCode.new(
            code_hash=hash_secret(code),
            user_id=viewer.user_id,
            client_id=app.client_id,
            name=app.name,
            website=app.website,
            redirect=SHOWN_HERE,
            scopes=scopes,
            challenge="",
            epoch=epoch_of(viewer),
            ttl=utc_now() + CODE_LASTS,
        )
    )


def token_of(viewer: Viewer, *scopes: str, app: AppCard | None = None) -> str:
    """Lets an app act for someone, and returns its token."""
    app, secret = app or new_app()[0], secrets.token_urlsafe(32)
    wanted = " ".join(scopes or ALL)
    give_code(viewer, app, secret, scopes=wanted)
    code = find_code(secret)
    assert code
    begin_access(code, token_secret=secret)
    return f"{viewer.user_id}.{secret}"


def tokens_of(viewer: Viewer) -> list[RawItem]:
    """The apps that act for someone, as they are stored."""
    found = query(keys.sign_ins(viewer.user_id), consistent=True)
    return [raw for raw in found if raw["type"]["S"] == "AppToken"]


class App:
    """An app of sorts: Django's client with a token, whose answers are JSON."""

    def __init__(self, token: str = "") -> None:
        self.browser = Client(enforce_csrf_checks=True)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.token = token

    def ask(self, method: str, path: str, /, *, headers: Any = None, **data: Any) -> Any:
        call = getattr(self.browser, method)
        return call(path, data, headers=self.headers | (headers or {}))

    def get(self, path: str, /, **data: Any) -> Any:
        answer = self.ask("get", path, **data)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def post(self, path: str, /, **data: Any) -> Any:
        answer = self.ask("post", path, **data)
        assert answer.status_code == 200, answer.content
        return answer.json()


@pytest.fixture
def app() -> Callable[..., App]:
    """`app(alice)`: an app that may do everything for her; `app(alice, "read")`: less; `app()`: without a token."""

    def open_app(viewer: Viewer | None = None, *scopes: str) -> App:
        return App(token_of(viewer, *scopes) if viewer else "")

    return open_app


def code_on_page(page: str) -> str:
    return page.partition("<code>")[2].partition("</code>")[0].strip()


@pytest.fixture
def mastodon(
    table: str, live_server: LiveServer, log_in: Callable[[Viewer], Client]
) -> Callable[[Viewer], Mastodon]:
    """`mastodon(alice)`: Mastodon.py, registered and signed in for her by the code that her browser shows."""

    def sign_in(viewer: Viewer) -> Mastodon:
        url = live_server.url
        client_id, secret = Mastodon.create_app("Test", scopes=list(ALL), api_base_url=url)
        client = Mastodon(client_id=client_id, client_secret=secret, api_base_url=url)
        address = client.auth_request_url(scopes=list(ALL), allow_http=True)
        asked = dict(parse_qsl(urlsplit(address).query))
        page = log_in(viewer).post("/oauth/authorize", asked | {"allow": "1"})
        code = code_on_page(page.content.decode())
        client.log_in(code=code, scopes=list(ALL), allow_http=True)
        return client

    return sign_in

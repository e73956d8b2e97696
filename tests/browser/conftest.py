"""What browser tests need: the site on a port, a Chromium, browsers of signed-in people that are watched, the worker.

`make setup-dev` brings a Chromium. Every page is watched (watch.py): a console error, a CSP violation or a request to
another host fails the test that opened it.
"""

import importlib
import mimetypes
import os
import random
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core.handlers.wsgi import WSGIHandler
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from playwright.sync_api import BrowserContext, Page, Playwright, expect
from pytest_django.live_server_helper import LiveServer

from accounts.people.viewer import Viewer
from socialsite.streams.worker import Worker
from socialsite.web import static_files
from tests.browser.screens import DESKTOP, PHONE, Axe, Look
from tests.browser.watch import Watch

__all__ = ["DESKTOP", "PHONE"]

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
NO_CHROMIUM = (
    "There is no Chromium for the browser tests: run `make setup-dev`, or set CHROMIUM to yours."
)
SECONDS_TO_FAIL = 30  # on a machine that does much else; where all is well nothing waits for it
SECONDS_TO_STOP = 30

expect.set_options(timeout=SECONDS_TO_FAIL * 1000)


@pytest.fixture
def transactional_db() -> None:
    """pytest-django's live server asks for a database, of which the site has none."""


@pytest.fixture(scope="session")
def browser_type_launch_args(playwright: Playwright) -> dict[str, Any]:
    """Where Chromium is: $CHROMIUM, else the PATH, else Playwright's own."""
    found = os.environ.get("CHROMIUM")
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        found = found or shutil.which(name)
    if not (shutil.which(found) if found else _has_own_chromium(playwright)):
        if os.environ.get("CI"):
            pytest.fail(NO_CHROMIUM, pytrace=False)
        pytest.skip(NO_CHROMIUM)
    # Playwright switches the back/forward cache off, which readers have on.
    return {
        "executable_path": found,
        "args": ARGUMENTS,
        "ignore_default_args": ["--disable-back-forward-cache"],
    }


def _has_own_chromium(playwright: Playwright) -> bool:
    own = Path(playwright.chromium.executable_path)
    return own.exists() or any(own.parents[2].glob("chromium_headless_shell-*"))


@pytest.fixture(scope="session", autouse=True)
def joined_files() -> Iterator[None]:
    """Styles and scripts are one file each, and browsers keep them, as in production. Else each page of a test asks for
    forty files."""
    paths = {
        name: (storage, name)
        for finder in reversed(list(get_finders()))
        for name, storage in finder.list([])
    }

    @cache
    def content(name: str) -> bytes:
        if name in static_files.JOINED:
            return static_files.joined(name, paths).encode()
        storage, path = paths[name]
        with storage.open(path) as file:
            return bytes(file.read())

    def serve(handler: StaticFilesHandler, request: HttpRequest) -> HttpResponse:
        name = handler.file_path(request.path)
        if name not in paths:
            raise Http404(name)
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return HttpResponse(content(name), kind, headers={"Cache-Control": "max-age=3600"})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StaticFilesHandler, "serve", serve)
        yield


@pytest.fixture(scope="session", autouse=True)
def late_answers() -> Iterator[None]:
    """With SLOW=1 the server answers up to a second late, before or after its work: a test that looks at something
    without waiting for it fails then."""
    answer = WSGIHandler.get_response

    def answer_late(handler: WSGIHandler, request: HttpRequest) -> HttpResponseBase:
        late = random.random() * (1.0 if request.method == "POST" else 0.25)
        before = late if random.random() < 0.5 else 0
        time.sleep(before)
        response = answer(handler, request)
        time.sleep(late - before)
        return response

    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("SLOW"):
            patch.setattr(WSGIHandler, "get_response", answer_late)
        yield


@pytest.fixture
def watch(live_server: LiveServer) -> Iterator[Watch]:
    """`watch.expect("503")` allows what a test provokes; anything else fails it."""
    watch = Watch(live_server.url)
    yield watch
    assert not watch.problems


@pytest.fixture
def visitor(
    table: str, live_server: LiveServer, watch: Watch, new_context: Callable[..., BrowserContext]
) -> Callable[..., Page]:
    """`visitor(java_script_enabled=False)`: a page in a browser of its own, nobody signed in."""

    def open_browser(**options: Any) -> Page:
        # A test that holds requests up finds them all: those of a worker pass it by (`test_installed.py` has one).
        alone = {"service_workers": "block"}
        defaults = {"base_url": live_server.url, "viewport": DESKTOP, "reduced_motion": "reduce"}
        context = new_context(**(defaults | alone | options))
        context.set_default_timeout(SECONDS_TO_FAIL * 1000)
        watch.over(context)
        return context.new_page()

    return open_browser


@pytest.fixture
def signed_in(
    visitor: Callable[..., Page], live_server: LiveServer, log_in: Callable[[Viewer], Client]
) -> Callable[..., Page]:
    """`signed_in(alice)`: a page in a browser of its own, in which she is signed in."""

    def open_browser(viewer: Viewer, **options: Any) -> Page:
        page = visitor(**options)
        name = settings.SESSION_COOKIE_NAME
        value = log_in(viewer).cookies[name].value
        page.context.add_cookies([{"name": name, "value": value, "url": live_server.url}])
        return page

    return open_browser


@pytest.fixture
def strict(visitor: Callable[..., Page]) -> Page:
    """The page of one visitor."""
    return visitor()


@pytest.fixture
def worker(table: str) -> Iterator[None]:
    """A stream worker beside the server, so that posts reach followers and likes are counted by themselves."""
    stop, failures = threading.Event(), []

    def work() -> None:
        try:
            Worker().run(stop)
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=work, name=f"worker {table}", daemon=True)
    thread.start()
    yield
    stop.set()
    thread.join(SECONDS_TO_STOP)
    assert not thread.is_alive()
    assert not failures


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., threading.Event]]:
    """`hold("feed.likes.views.like_post")`: the server waits there until the event that comes back is set."""
    events: list[threading.Event] = []

    def hold_up(function: str) -> threading.Event:
        released = threading.Event()
        events.append(released)
        module, _, name = function.rpartition(".")
        act = getattr(importlib.import_module(module), name)

        def wait_then_act(*args: Any, **kwargs: Any) -> Any:
            released.wait(SECONDS_TO_STOP)
            return act(*args, **kwargs)

        monkeypatch.setattr(function, wait_then_act)
        return released

    yield hold_up
    for event in events:
        event.set()


@pytest.fixture(scope="session")
def axe() -> Axe:
    """`axe(page)`: the accessibility rules that the page breaks."""
    return Axe()


@pytest.fixture
def look(axe: Axe, request: pytest.FixtureRequest) -> Look:
    """`look(page)`: what is wrong with the page, on the screens of this run."""
    return Look(axe, request.node.name)


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    """Where uploads are kept, for one test."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT

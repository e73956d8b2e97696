"""A whole site contacts its engine and nothing else, in debug mode and in production mode.

Every Python process of the site carries the guard of `tests/contacts`. The engine and nginx, which are native, are
looked at while they run.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from socialsite.engine.lock import read_state
from tests.conftest import PASSWORD
from tests.contacts import is_here, open_sockets
from tests.operations.commands.test_runserver import running
from tests.operations.serving.served import ROOT, Browser, processes_on, served

pytestmark = [
    pytest.mark.engines("embedded", reason="the site starts its own engine"),
    pytest.mark.skipif(sys.platform != "linux", reason="open sockets are looked up in /proc"),
]

PAGES = (
    "/", "/local", "/explore", "/search?q=hello", "/tags/cats", "/about", "/rules", "/@dora", "/@dora/feed.atom",
    "/posts/new", "/notifications", "/friends", "/circles", "/saved", "/drafts", "/scheduled", "/standing",
    "/photos", "/settings/profile",
    "/settings/security", "/settings/password", "/settings/privacy", "/settings/data", "/not/there", "/readyz",
    "/metrics",
)  # fmt: skip
SECONDS_FOR_THE_WORKER = 30


def use(browser: Browser) -> None:
    """A visit with everything that could tempt a site to ask elsewhere: addresses in posts, letters, a new
    account, a wrong password."""
    browser.sign_up("dora")
    browser.say("Hello #cats, look at https://example.com/a and @nobody@social.example")
    for page in PAGES:
        browser.get(page)
        assert browser.answer.status < 500, page
    browser.post("/logout")
    browser.get("/login")
    browser.post("/login", account="dora@example.org", password="not-her-password")
    browser.get("/password/forgot")
    browser.post("/password/forgot", email="dora@example.org")
    browser.get("/login")
    browser.post("/login", account="dora", password=PASSWORD)
    assert browser.answer.status == 302


def wait_for_the_worker(browser: Browser) -> None:
    until = time.monotonic() + SECONDS_FOR_THE_WORKER
    while "Hello" not in browser.get("/tags/cats"):
        assert time.monotonic() < until
        time.sleep(0.2)


@contextmanager
def in_debug_mode(folder: Path, **environment: str) -> Iterator[Browser]:
    with running(folder / "var", DEMO="0", **environment) as site:
        yield Browser(site.port, plainly=True)


@contextmanager
def in_production_mode(folder: Path, **environment: str) -> Iterator[Browser]:
    with served(folder, **environment) as site:
        yield site.browser()


@pytest.mark.parametrize("start", [in_debug_mode, in_production_mode])
def test_the_site_contacts_its_engine_and_nothing_else(start, tmp_path):
    noted = tmp_path / "contacts"
    guard = {"PYTHONPATH": f"{ROOT / 'tests' / 'contacts'}:{ROOT}", "CONTACTS": str(noted)}
    with start(tmp_path, **guard) as browser:
        use(browser)
        wait_for_the_worker(browser)
        state = read_state(tmp_path / "var")
        open_now = open_sockets(processes_on(tmp_path / "var"))
    contacted = set(noted.read_text().splitlines())
    assert state is not None
    engine = str(urlsplit(state.url).hostname)
    assert engine in contacted
    assert engine in open_now
    assert {host for host in contacted | open_now if not is_here(host)} == set()

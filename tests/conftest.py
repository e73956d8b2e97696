"""What every test may use: an empty table, the cast, a signed-in browser, the stream worker by hand, the meter."""

import gc
import os
import random
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

import pytest
from django.conf import settings
from django.template import Context
from django.template.base import Template
from django.test import Client
from django.test.signals import template_rendered

from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.models import Credentials
from accounts.people.viewer import Viewer
from accounts.sessions import hash_secret
from accounts.sign_in.writes import sign_in
from feed.publishing.writes import publish_post
from socialsite.streams.worker import Worker
from socialsite.table import fetch, ids, keys, meter, row
from tests import contacts
from tests.prepared import Prepared
from tests.tables import (
    ENGINES,
    PASSWORD,
    engine,
    one_stream_client,
    person,
    prepared,
    running_engine,
    table,
)

# What a test may take that counts by day, month or year, by hour, and by the shortest window of a limit; in seconds.
LONGEST_OF_A = {86_400: 40, 3_600: 10, 300: 3}

gc.disable()  # until all tests are collected
# What a run draws by chance is the same in all of its processes, which have these from the first.
os.environ.setdefault("FAULTS_SEED", str(random.randrange(1_000_000)))
pytest_plugins = ["tests.iam.recorder", "tests.lens.recorder", "tests.buckets"]
contacts.refuse_elsewhere(contacts.note_elsewhere)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=list(ENGINES), default="embedded")


def pytest_report_header() -> str:
    return f"FAULTS_SEED={os.environ['FAULTS_SEED']} repeats what this run draws by chance."


def pytest_collection_finish() -> None:
    """What was collected stays, so Python need not look through it for garbage again and again, nor while it comes."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


def pytest_sessionfinish() -> None:
    """What tests spent is not written when their process ends, as its engine has ended then."""
    meter.take()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, pytest.TestReport]:
    """The first line of a failure is the rule that is broken: a test's name says it."""
    report = yield
    crash = getattr(report.longrepr, "reprcrash", None)
    if report.failed and crash:
        rule = f"Broken: {rule_of(item)}"
        crash.message = f"{rule}. {crash.message}"
        report.longrepr.reprtraceback.reprentries[0].lines.insert(0, f"{rule}.")
    return report


def rule_of(item: pytest.Item) -> str:
    """The rule of `test_a_post_reaches_followers[2]`: "a post reaches followers (2)"."""
    name, _, row = item.name.partition("[")
    sentence = name.removeprefix("test_").replace("_", " ")
    return f"{sentence} ({row.removesuffix(']')})" if row else sentence


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`@pytest.mark.engines("embedded", …)` keeps a test to the engines that can pass it, and says why;
    `@pytest.mark.long` lets it begin before others."""
    engine = config.getoption("--engine")
    items[:] = long_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))
    for item in items:
        marker = item.get_closest_marker("engines")
        if marker and engine not in marker.args:
            item.add_marker(pytest.mark.skip(reason=f"not on {engine}: {marker.kwargs['reason']}"))


def long_first(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """The tests in an order in which each process begins with long ones, so that none plays one alone at the end.
    pytest-xdist gives each process one stretch of the tests, of the same length, until it takes over another's."""
    ordered: list[pytest.Item] = []
    long = [item for item in items if item.get_closest_marker("long")]
    others = iter([item for item in items if not item.get_closest_marker("long")])
    for number in range(processes):
        length = (len(items) - len(ordered)) // (processes - number)
        own = long[number::processes]
        ordered += [*own, *islice(others, max(0, length - len(own)))]
    return [*ordered, *others]


@pytest.fixture(scope="session", autouse=True)
def what_a_page_was_made_of(django_test_environment: None) -> None:
    """Tests may look at what a whole page was made of (`answer.context`). Django's client copies that of each of its
    forty parts too, which takes time."""

    def render(template: Template, context: Context) -> str:
        if context.template is template:
            template_rendered.send(sender=template, template=template, context=context)
        return template.nodelist.render(context)

    Template._render = render


@pytest.fixture(autouse=True)
def no_period_ends() -> None:
    """Waits for the next day, hour or window shortly before it begins, so that none ends between a test's lines."""
    for period, longest in LONGEST_OF_A.items():
        while (left := period - time.time() % period) < longest:
            time.sleep(left)


@pytest.fixture(autouse=True)
def nobody_else_is_contacted() -> Iterator[None]:
    """Fails a test in which this process contacts another machine, whatever became of it."""
    yield
    assert contacts.take_elsewhere() == []


@pytest.fixture
def alice(table: str, prepared: Prepared) -> Viewer:
    return prepared.join("alice")


@pytest.fixture
def bob(table: str, prepared: Prepared) -> Viewer:
    return prepared.join("bob")


@pytest.fixture
def carol(table: str, prepared: Prepared) -> Viewer:
    return prepared.join("carol")


@pytest.fixture
def mod(table: str, prepared: Prepared) -> Viewer:
    return prepared.join("moddy")


@pytest.fixture
def admin(table: str, prepared: Prepared) -> Viewer:
    return prepared.join("addy")


def epoch_of(viewer: Viewer) -> int:
    """The epoch of someone's account, which a new sign-in has to know."""
    key = keys.credentials(viewer.user_id)
    return int(row(Credentials, fetch([key], consistent=True).get(key, {})).epoch)


def post(author: Viewer, content: str = "Hello") -> str:
    """Publishes a post."""
    return publish_post(by=author, content=content, nonce=ids.new_id())


@pytest.fixture
def log_in() -> Callable[[Viewer], Client]:
    """`log_in(alice)`: a browser of its own in which she is signed in."""
    return browser_of


def browser_of(viewer: Viewer) -> Client:
    browser = Client()
    session = browser.session
    session[SESSION_USER] = viewer.user_id
    session[SESSION_SECRET] = sign_in(
        user_id=viewer.user_id, browser="tests", epoch=epoch_of(viewer)
    )
    session.save()
    browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    return browser


@pytest.fixture
def drain_stream(table: str) -> Callable[[], None]:
    """Plays everything that the stream holds through the handlers, as the worker would."""
    worker = Worker()
    return worker.drain


@pytest.fixture
def measure() -> Callable[[], AbstractContextManager[meter.Meter]]:
    return meter.measure


HTMX = {"HX-Request": "true"}

__all__ = [
    "HTMX",
    "PASSWORD",
    "engine",
    "hash_secret",
    "one_stream_client",
    "person",
    "post",
    "prepared",
    "running_engine",
    "table",
]


@pytest.fixture
def worker(table: str) -> Worker:
    return Worker()

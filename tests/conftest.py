"""What every test may use: an empty table, the cast, a signed-in browser, the stream worker by hand, the meter."""

import gc
import os
import random
import shutil
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cached_property, partial
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.access_patterns import get_user_info
from accounts.encryption.person_keys import forget_open_keys
from accounts.middleware import SESSION_SECRET, SESSION_USER
from accounts.models import Credentials
from accounts.services.sign_in import hash_secret, sign_in
from accounts.services.sign_up import sign_up
from accounts.viewer import Viewer
from feed.services.publish_post import publish_post
from feed.suggested.newest_authors import forget_newest_authors
from moderation.models import Queue
from moderation.staff.nav import forget_staff_nav, keep_counts
from socialsite.site.site_rules import keep_site_rules
from socialsite.site.site_setup import SiteRules
from socialsite.streams.shards.source import Stream
from socialsite.streams.worker import Worker
from socialsite.table import ids, keys, meter
from socialsite.table.connection import client, connection, disconnect, endpoint
from socialsite.table.item import Item
from socialsite.table.reading import fetch
from socialsite.table.row import row
from tests import contacts, engines
from tests.prepared import Prepared

ENGINES = {
    "embedded": engines.embedded_engine,
    "dynamodb-local": engines.dynamodb_local,
    "moto": engines.moto_engine,
}
# DynamoDB Local keeps the streams of deleted tables, and reading one takes longer with every other; moto keeps every
# iterator of a stream with the tables that it has seen.
TABLES_AN_ENGINE = {"dynamodb-local": 100, "moto": 20}
PASSWORD = "correct horse battery"
# Handle, name and role, in the order in which they joined.
CAST = {
    "alice": ("Alice Archer", None),
    "bob": ("Bob Brandt", None),
    "carol": ("Carol 陈", None),
    "moddy": ("Mod Miller", "moderator"),
    "addy": ("Addy Admin", "admin"),
}
# What a run draws by chance is the same in all of its processes, which have these from the first.
os.environ.setdefault("FAULTS_SEED", str(random.randrange(1_000_000)))
pytest_plugins = ["tests.iam.recorder", "tests.lens.recorder", "tests.buckets"]
contacts.refuse_elsewhere(contacts.note_elsewhere)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=list(ENGINES), default="embedded")


def pytest_report_header() -> str:
    return f"FAULTS_SEED={os.environ['FAULTS_SEED']} repeats what this run draws by chance."


def pytest_collection_finish() -> None:
    """What was collected stays, so Python need not look through it for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


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
    """`@pytest.mark.engines("embedded", …)` keeps a test to the engines that can pass it, and says why."""
    engine = config.getoption("--engine")
    for item in items:
        marker = item.get_closest_marker("engines")
        if marker and engine not in marker.args:
            item.add_marker(pytest.mark.skip(reason=f"not on {engine}: {marker.kwargs['reason']}"))


@pytest.fixture(autouse=True)
def nobody_else_is_contacted() -> Iterator[None]:
    """Fails a test in which this process contacts another machine, whatever became of it."""
    yield
    assert contacts.take_elsewhere() == []


class RunningEngine:
    """The engine of `--engine`, and how many tables it has had."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.tables = 0
        self.running = ExitStack()
        self.start()

    def start(self) -> None:
        self.endpoint = self.running.enter_context(ENGINES[self.name]())
        self.point_settings()
        disconnect()

    def point_settings(self) -> None:
        """For each table anew: what is set while a test has settings of its own goes with them."""
        settings.DYNAMODB_ENDPOINT = self.endpoint
        settings.DYNAMODB_ENGINE = "endpoint" if self.endpoint else "amazon"

    def count_table(self) -> None:
        """Starts the engine anew where tables of before slow it down."""
        self.tables += 1
        if self.tables > TABLES_AN_ENGINE.get(self.name, self.tables):
            self.running.close()
            self.start()
            self.tables = 1
        self.point_settings()


@pytest.fixture(scope="session")
def running_engine(pytestconfig: pytest.Config) -> Iterator[RunningEngine]:
    engine = RunningEngine(pytestconfig.getoption("--engine"))
    with engine.running:
        yield engine


@pytest.fixture(scope="session")
def engine(running_engine: RunningEngine) -> str:
    """The name of the engine, which runs."""
    return running_engine.name


@pytest.fixture(scope="session", autouse=True)
def one_stream_client() -> None:
    """Workers on one engine share a client of the stream: to make one takes longer than a test reads with it."""
    make = Stream._client.func
    clients: dict[str | None, Any] = {}

    def shared(stream: Stream) -> Any:
        return clients.get(endpoint()) or clients.setdefault(endpoint(), make(stream))

    Stream._client = cached_property(shared)
    Stream._client.__set_name__(Stream, "_client")


@pytest.fixture(scope="session")
def prepared(running_engine: RunningEngine) -> Prepared:
    """The site makes a table, and the cast signs up there."""
    _use_table("prepared")
    prepared = Prepared({handle: partial(person, handle, *of) for handle, of in CAST.items()})
    client().delete_table(TableName="prepared")
    return prepared


@pytest.fixture
def table(running_engine: RunningEngine, prepared: Prepared) -> Iterator[str]:
    with empty_table(running_engine, prepared) as name:
        yield name


@contextmanager
def empty_table(running_engine: RunningEngine, prepared: Prepared) -> Iterator[str]:
    """An empty table of a new name (an engine may bring the old stream of a re-used name back)."""
    running_engine.count_table()
    _use_table(name := f"test-{uuid.uuid4().hex[:16]}")
    prepared.make_table()
    forget_other_tables()
    yield name
    client().delete_table(TableName=name)


def forget_other_tables() -> None:
    """What this process keeps of a table is that of an empty one again."""
    shutil.rmtree(settings.DATA_DIR / "photos", ignore_errors=True)  # they belong to items
    keep_site_rules(SiteRules())  # so that no page has to read them
    forget_newest_authors()
    forget_open_keys()
    forget_staff_nav()
    keep_counts(dict.fromkeys(Queue, 0))


def _use_table(name: str) -> None:
    # A new table name makes PynamoDB connect anew; the botocore client, which is what takes time, stays.
    old = connection().connection
    Item.Meta.table_name = name
    new = Item._get_connection().connection
    new._client, new._local = old._client, old._local


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


def person(handle: str, name: str = "", role: str | None = None) -> Viewer:
    """Signs a new person up."""
    user_id = sign_up(
        handle=handle,
        name=name or handle.title(),
        email=f"{handle}@example.org",
        password=PASSWORD,
        role=role,
        confirmed=True,
    )
    return Viewer(user_id, "", get_user_info(user_id))


def epoch_of(viewer: Viewer) -> int:
    """The epoch of someone's account, which a new sign-in has to know."""
    key = keys.credentials(viewer.user_id)
    return int(row(Credentials, fetch([key], consistent=True).get(key, {})).epoch)


def post(author: Viewer, content: str = "Hello") -> str:
    """Publishes a post."""
    return publish_post(by=author, content=content, nonce=ids.new_id())


@pytest.fixture
def log_in(client: Client) -> Callable[[Viewer], Client]:
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

__all__ = ["HTMX", "PASSWORD", "hash_secret", "person", "post"]

"""The engine of a run and its tables: each test has one of its own, which is put down as it was prepared."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property, partial
from typing import Any

import pytest
from django.conf import settings

from accounts.people.reads import get_user_info
from accounts.people.viewer import Viewer
from accounts.sign_up.writes import sign_up
from moderation.models import Queue
from socialsite.process_state import reset_process_state
from socialsite.site_settings.site_setup import SiteRules
from socialsite.streams.shards import Stream
from socialsite.table import Item
from socialsite.table.connection import client, connection, disconnect, endpoint
from tests import engines
from tests.kept import keep_counts, keep_site_rules
from tests.prepared import Prepared, ask_of_table

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
    use_table("prepared")
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
    use_table(name := f"test-{uuid.uuid4().hex[:16]}")
    prepared.make_table()
    forget_other_tables()
    yield name
    ask_of_table("DeleteTable", TableName=name)


def forget_other_tables() -> None:
    """What this process keeps of a table is that of an empty one again."""
    shutil.rmtree(settings.DATA_DIR / "photos", ignore_errors=True)  # they belong to items
    reset_process_state()
    keep_site_rules(SiteRules())  # so that no page has to read them
    keep_counts(dict.fromkeys(Queue, 0))


def use_table(name: str) -> None:
    # A new table name makes PynamoDB connect anew; the botocore client, which is what takes time, stays.
    old = connection().connection
    Item.Meta.table_name = name
    new = Item._get_connection().connection
    new._client, new._local = old._client, old._local


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

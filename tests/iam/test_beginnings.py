"""How a process of each role begins: what it asks before anything else is recorded as well."""

from collections.abc import Callable, Iterator

import pytest
from django.core.management import call_command

from relations import lambda_handler
from socialsite.data_keys import current_key
from socialsite.streams.lambda_handler import handle
from socialsite.streams.worker import Worker
from socialsite.table import Item, get, keys
from socialsite.table import connection as connecting
from socialsite.table.connection import connection, disconnect
from socialsite.table.models import DataState
from socialsite.table.schema import missing_protection
from tests.engines import moto_engine
from tests.faults.processes import wait_until
from tests.iam.recorder import seen
from tests.iam.uses import Use
from tests.streams.lambda_events import event
from tests.streams.records import Record, unread
from tests.tables import use_table


@pytest.fixture
def own_connection(running_engine, table: str) -> Iterator[None]:
    """The test may connect as it likes: the suite's connection comes back afterwards."""
    yield
    connecting._serves_pages = False
    running_engine.point_settings()
    disconnect()
    Item.Meta.table_name = "no-table-and-so-nothing-to-refuse"
    connection()
    use_table(table)


def begin_web(_: list[Record]) -> None:
    connecting.connect_to_serve()
    wait_until(lambda: connecting._connected is not None, seconds=30)


def begin_worker(_: list[Record]) -> None:
    Worker().step()


def begin_lambda(records: list[Record]) -> None:
    handle(event(records))


def begin_relations(_: list[Record]) -> None:
    lambda_handler.handle({"operation": "levels", "user": "alice"})


def begin_operator(_: list[Record]) -> None:
    call_command("recommend", "alice")


@pytest.mark.parametrize(
    ("role", "begin"),
    [
        ("web", begin_web),
        ("worker", begin_worker),
        ("lambda", begin_lambda),
        ("relations", begin_relations),
        ("operator", begin_operator),
    ],
)
def test_whoever_begins_with_a_new_key_notes_it(
    own_connection, alice, settings, role: str, begin: Callable[[list[Record]], None]
):
    records = unread()
    old, settings.DATA_KEY = settings.DATA_KEY, "another data key that is long enough as well"
    settings.DATA_KEY_FALLBACKS = [old]
    disconnect()
    begin(records)
    assert current_key().id in get(DataState, keys.data_state(), consistent=True).key_ids
    for action in ("GetItem", "UpdateItem"):
        assert Use(role, "table", "site#data", False, action) in seen


@pytest.mark.engines("embedded", reason="moto plays Amazon here, beside the engine at hand")
def test_an_operator_makes_a_protected_table(own_connection, settings, capsys):
    with moto_engine():
        settings.DYNAMODB_ENDPOINT, settings.DYNAMODB_ENGINE = None, "amazon"
        disconnect()
        Item.Meta.table_name = "protected"
        call_command("create_table")
        assert missing_protection() == []
        disconnect()

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from socialsite import keys
from socialsite.table.connection import table_name
from socialsite.table.schema import create_table
from socialsite.table.transport.requests import wire
from tests.operations.moving.places import Site, living_at
from tests.tables import ENGINES


@pytest.fixture
def old(table: str, tmp_path: Path) -> Iterator[Site]:
    """Where the site is: this test's table."""
    site = Site.at(tmp_path / "old", settings.DYNAMODB_ENDPOINT, table_name())
    with living_at(site):
        yield site
        # The session goes on with this table's connection, and none may start where a site has left.
        site.place.client.delete_item(TableName=site.table, Key=wire(keys.data_state()))


@pytest.fixture(scope="module")
def other_engine() -> Iterator[str]:
    """Where the site moves to: with MOVE_TO=dynamodb-local to Amazon's DynamoDB Local."""
    with ENGINES[os.environ.get("MOVE_TO", "embedded")]() as endpoint:
        assert endpoint
        yield endpoint


@pytest.fixture
def nowhere(other_engine: str, tmp_path: Path) -> Site:
    """Another engine, with no table yet."""
    return Site.at(tmp_path / "nowhere", other_engine)


@pytest.fixture
def new(old: Site, other_engine: str, tmp_path: Path) -> Site:
    """Another engine, with an empty table: to have the command make it takes longer."""
    site = Site.at(tmp_path / "new", other_engine)
    with living_at(site):
        create_table()
    return site

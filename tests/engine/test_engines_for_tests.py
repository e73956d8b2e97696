"""Each engine that the suite runs on starts, makes a table with a stream, and records a put."""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.engine.table import connect, create_table, names, put, stream_records
from tests.engines import dynamodb_local, embedded_engine, moto_engine
from tests.injected.rotation import IS_LONG

# Each test of `make test-moto` and `make test-local` asks the same of these.
IN_ITS_OWN_LANE = pytest.mark.skipif(not IS_LONG, reason="started by the tests that run on it")


@pytest.mark.parametrize(
    "engine",
    [
        embedded_engine,
        pytest.param(moto_engine, marks=IN_ITS_OWN_LANE),
        pytest.param(
            dynamodb_local,
            marks=[
                IN_ITS_OWN_LANE,
                pytest.mark.skipif(not shutil.which("java"), reason="needs Java"),
            ],
        ),
    ],
)
def test_an_engine_keeps_an_item_and_records_it(
    engine: Callable[[], AbstractContextManager[str | None]],
) -> None:
    with engine() as url:
        client = connect(url)
        create_table(client)
        put(client, "item")
        assert names(client) == ["item"]
        (record,) = stream_records(url)
        assert record["eventName"] == "INSERT"
        assert record["dynamodb"]["NewImage"]["SK"] == {"S": "item"}

"""Each engine that the suite runs on starts, makes a table with a stream, and records a put."""

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

from tests.engine.table import connect, create_table, names, put, stream_records
from tests.engines import dynamodb_local, embedded_engine, moto_engine


@pytest.mark.parametrize(
    "engine",
    [
        embedded_engine,
        moto_engine,
        pytest.param(
            dynamodb_local,
            marks=pytest.mark.skipif(not shutil.which("java"), reason="needs Java"),
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

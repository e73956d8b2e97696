"""The stream records of the embedded engine stay quick to append to, and few."""

import sqlite3
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from socialsite import keys
from socialsite.engine.database import open_for_reading, open_for_writing
from socialsite.engine.dynoxide import INDEX, RETENTION_SECONDS, index_stream, trim_stream
from socialsite.engine.program import EngineError
from tests.engine.processes import RunningTable
from tests.engine.table import TABLE, connect, create_table, names, put, stream_records

DAY_AND_A_BIT = RETENTION_SECONDS + 60


def test_the_stream_has_its_index_and_the_engine_uses_it(table: RunningTable) -> None:
    newest = (
        "SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records WHERE table_name = ?"
    )
    with open_for_reading(table.database) as connection:
        plan = connection.execute(f"EXPLAIN QUERY PLAN {newest}", (TABLE,)).fetchall()
    assert INDEX in plan[0][3]


def test_a_put_stays_quick_with_100_000_stream_records(
    table: RunningTable, capsys: pytest.CaptureFixture[str]
) -> None:
    put_milliseconds(table.client)
    empty = put_milliseconds(table.client)
    add_old_records(table.database, 100_000)
    full = put_milliseconds(table.client)
    with capsys.disabled():
        print(
            f"\nput: {empty:.2f} ms empty, {full:.2f} ms with 100,000 records: x{full / empty:.2f}"
        )
    assert full < 20


def test_a_database_of_another_inside_is_refused(table: RunningTable) -> None:
    with open_for_writing(table.database) as connection:
        connection.execute("UPDATE _config SET value = '10' WHERE key = 'schema_version'")
    with pytest.raises(EngineError, match="inside that this version does not know"):
        index_stream(table.database)


def test_a_file_that_is_not_the_engines_is_refused(tmp_path: Path) -> None:
    database = tmp_path / "other.sqlite3"
    sqlite3.connect(database).execute("CREATE TABLE something (a)").connection.close()
    with pytest.raises(EngineError, match="set DYNAMODB_ENDPOINT"):
        index_stream(database)


def test_trimming_deletes_what_is_older_than_a_day_and_nothing_else(table: RunningTable) -> None:
    add_old_records(table.database, 1_234)
    put(table.client, "fresh")
    assert trim_stream(table.database) == 1_234
    (record,) = stream_records(table.url)
    assert record["dynamodb"]["Keys"]["SK"] == {"S": "fresh"}
    assert trim_stream(table.database) == 0


def test_trimming_keeps_each_tables_newest_record_and_numbering_goes_on(
    table: RunningTable,
) -> None:
    create_table(table.client, "another-table")
    table.client.put_item(TableName="another-table", Item={"PK": {"S": "a"}, "SK": {"S": "b"}})
    for name in ("one", "two", "three"):
        put(table.client, name)
    last = int(stream_records(table.url)[-1]["dynamodb"]["SequenceNumber"])

    assert trim_stream(table.database, now=time.time() + DAY_AND_A_BIT) == 2
    assert len(stream_records(table.url, "another-table")) == 1
    put(table.client, "four")
    records = stream_records(table.url)
    assert [record["dynamodb"]["Keys"]["SK"]["S"] for record in records] == ["three", "four"]
    assert int(records[-1]["dynamodb"]["SequenceNumber"]) > last


def test_writes_go_through_while_the_stream_is_trimmed(table: RunningTable) -> None:
    add_old_records(table.database, 20_000)
    put(table.client, "before")
    trimmed = threading.Event()
    with ThreadPoolExecutor() as pool:
        writing = pool.submit(put_until, trimmed, connect(table.url))
        count = trim_stream(table.database)
        trimmed.set()
        written = writing.result()
    assert count == 20_000
    assert written > 0
    assert len(names(table.client)) == 1 + written


def put_until(done: threading.Event, client: Any) -> int:
    written = 0
    while not done.is_set():
        put(client, f"written-{written}")
        written += 1
    return written


def put_milliseconds(client: Any, times: int = 60) -> float:
    took = []
    for number in range(times):
        start = time.perf_counter()
        put(client, f"measured-{number}", content={"S": "x" * 300})
        took.append((time.perf_counter() - start) * 1000)
    return statistics.median(took)


def add_old_records(database: Path, count: int) -> None:
    """Put records older than a day before those that come, as a long run would have left them."""
    image = '{"PK":{"S":"u#1"},"SK":{"S":"old"},"content":{"S":"' + "x" * 300 + '"}}'
    moment = int(time.time()) - DAY_AND_A_BIT
    with open_for_writing(database) as connection:
        (last,) = connection.execute(
            "SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) FROM _stream_records "
            "WHERE table_name = ?",
            (TABLE,),
        ).fetchone()
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO _stream_records (table_name, event_name, keys_json, new_image, "
            "sequence_number, shard_id, created_at) VALUES (?, 'INSERT', ?, ?, ?, ?, ?)",
            (
                (
                    TABLE,
                    '{"PK":{"S":"u#1"},"SK":{"S":"old"}}',
                    image,
                    str(last + number),
                    f"shardId-00000001-{TABLE}",
                    moment,
                )
                for number in range(1, count + 1)
            ),
        )
        connection.execute("COMMIT")


def test_records_that_no_worker_has_read_stay_however_old_and_so_does_the_one_at_its_checkpoint(
    table: RunningTable,
) -> None:
    for number in range(6):
        put(table.client, f"number-{number}")
    numbers = [record["dynamodb"]["SequenceNumber"] for record in stream_records(table.url)]
    lease = keys.lease(f"shardId-00000001-{TABLE}")
    table.client.put_item(
        TableName=TABLE,
        Item={"PK": {"S": lease.pk}, "SK": {"S": lease.sk}, "checkpoint": {"S": numbers[2]}},
    )
    trim_stream(table.database, now=time.time() + DAY_AND_A_BIT)
    left = [record["dynamodb"]["SequenceNumber"] for record in stream_records(table.url)]
    assert left[: len(numbers) - 2] == numbers[2:]

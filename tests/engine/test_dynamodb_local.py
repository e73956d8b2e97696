"""DynamoDB Local as the embedded engine: what it would lose by itself is kept."""

import socket
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from botocore.exceptions import BotoCoreError

from socialsite.engine.database import open_for_reading
from socialsite.engine.dynamodb_local import (
    move_into_file,
    prepare_file,
    sweep_expired_items,
    wait_for_commits,
)
from tests.engine.dynamodb_local import MortalLocal, create_indexed_table, write_three
from tests.engine.table import TABLE, names, put, stream_records

pytestmark = [
    pytest.mark.engines("dynamodb-local", reason="it needs Java and fetches DynamoDB Local"),
    pytest.mark.timeout(300),
]

KILLS = 4
LEAST_ANSWERED = 10  # before each, however slow the machine is
DAY = 24 * 3600
LONGEST_LOG = 6_000_000  # bytes


@pytest.fixture
def local(tmp_path: Path) -> Iterator[MortalLocal]:
    engine = MortalLocal(tmp_path)
    create_indexed_table(engine.connect())
    yield engine
    engine.kill()


def test_it_listens_at_its_own_address_alone(local: MortalLocal) -> None:
    socket.create_connection((local.host, int(local.port)), timeout=2).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(local.port)), timeout=2)


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_transaction_that_was_answered_survives_a_kill_in_the_same_moment(
    tmp_path: Path, journal: str
) -> None:
    """Commits take longer in the ordinary journal: there 9 of 10 kills cost one that nobody waited for."""
    local = MortalLocal(tmp_path, journal=journal)
    create_indexed_table(local.connect())
    answered: list[str] = []
    for _ in range(KILLS):
        answered += write_until_killed(local, seconds=4)
        stored = local.stored()
        assert [name for name in answered if f"{name}#0" not in stored] == []
        assert not half_of(stored)
        local.start()
    local.kill()


def test_copies_beside_writers_cost_no_transaction(local: MortalLocal, tmp_path: Path) -> None:
    """In SQLite's ordinary journal, more than half were lost."""

    def copy(number: int) -> None:
        with (
            open_for_reading(local.database) as live,
            closing(sqlite3.connect(tmp_path / f"{number}.copy")) as target,
        ):
            live.backup(target)
        time.sleep(0.1)

    assert lost_beside_writers(local, copy, times=30) == []


def test_moving_the_log_beside_writers_costs_no_transaction(local: MortalLocal) -> None:
    def move(_: int) -> None:
        move_into_file(local.database)
        time.sleep(0.03)

    assert lost_beside_writers(local, move, times=100) == []


def test_the_log_stays_short_when_it_is_moved(local: MortalLocal) -> None:
    """By itself it grows with each item that is put, here to some 14 MB."""
    client = local.connect()
    for number in range(600):
        put(client, f"number-{number}", content={"S": "x" * 300})
        if number % 100 == 0:
            move_into_file(local.database)
    assert local.database.with_name(f"{local.database.name}-wal").stat().st_size < LONGEST_LOG


def lost_beside_writers(local: MortalLocal, do: Callable[[int], None], *, times: int) -> list[str]:
    """Do something again and again beside three writers, kill the engine, and return the transactions that it lost."""
    stop = threading.Event()
    answered: list[str] = []

    def write() -> None:
        client = local.connect()
        while not stop.is_set():
            write_three(client, name := uuid.uuid4().hex)
            answered.append(name)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for number in range(times):
        do(number)
    stop.set()
    for writer in writers:
        writer.join()
    local.connect().list_tables(Limit=1)  # the last transaction is committed
    local.kill()
    stored = local.stored()
    assert len(answered) > times
    return [name for name in answered if f"{name}#0" not in stored]


def test_the_stream_goes_on_after_days_without_the_engine(local: MortalLocal) -> None:
    """By itself it would delete the unread records and number from 1 again."""
    for name in ("first", "second", "third"):
        put(local.connect(), name)
    local.end()
    make_older(local.database, seconds=3 * DAY)
    local.start()
    put(local.connect(), "afterwards")
    records = [record["dynamodb"] for record in stream_records(local.url)]
    assert [record["Keys"]["SK"]["S"] for record in records] == [
        *("first", "second", "third", "afterwards")
    ]
    assert [int(record["SequenceNumber"]) for record in records] == [1, 2, 3, 4]


def test_a_short_stop_leaves_the_streams_times_alone(local: MortalLocal) -> None:
    put(local.connect(), "first")
    local.end()
    before = creation_times(local.database)
    prepare_file(local.database, now=time.time() + 600)
    assert creation_times(local.database) == before


def test_expired_items_outside_the_indexes_are_deleted_too(local: MortalLocal) -> None:
    """By itself it deletes only items that are in every index."""
    client, now = local.connect(), int(time.time())
    put(client, "expired", ttl={"N": str(now - 1)}, content={"S": "gone"})
    put(client, "later", ttl={"N": str(now + 600)})
    put(client, "for-ever")
    put(client, "text", ttl={"S": str(now - 1)})
    put(client, "six-years-ago", ttl={"N": str(now - 6 * 365 * DAY)})
    assert sweep_expired_items(local.database, local.url, TABLE, now=now) == 1
    assert names(client) == ["for-ever", "later", "six-years-ago", "text"]
    assert sweep_expired_items(local.database, local.url, TABLE, now=now) == 0
    removal = stream_records(local.url)[-1]
    assert removal["eventName"] == "REMOVE"
    assert removal["dynamodb"]["OldImage"]["content"] == {"S": "gone"}


def test_a_table_that_does_not_exist_yet_has_nothing_to_sweep(local: MortalLocal) -> None:
    assert sweep_expired_items(local.database, local.url, "not-there-yet") == 0


def write_until_killed(local: MortalLocal, *, seconds: float) -> list[str]:
    """Write in several threads; one of them kills the engine as soon as its transaction was answered."""
    answered: list[str] = []
    over = threading.Event()
    kill_at = time.monotonic() + seconds

    def write() -> None:
        client = local.connect()
        wait_for_commits(client)
        while not over.is_set():
            name = uuid.uuid4().hex
            try:
                write_three(client, name)
            except BotoCoreError:
                return
            answered.append(name)
            is_time = time.monotonic() > kill_at and len(answered) > LEAST_ANSWERED
            if is_time and not over.is_set():
                over.set()
                local.process.kill()

    writers = [threading.Thread(target=write) for _ in range(5)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    local.process.wait()
    return answered


def half_of(stored: set[str]) -> list[str]:
    """Return the transactions of which some items are there and some are not."""
    begun = {key.partition("#")[0] for key in stored}
    return [name for name in begun if sum(f"{name}#{n}" in stored for n in range(3)) != 3]


def make_older(database: Path, *, seconds: int) -> None:
    """Move all times of a stopped engine's file into the past."""
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        for table in ("us", "ss", "sm"):
            connection.execute(
                f"UPDATE {table} SET CreationDateTime = CreationDateTime - ?", (seconds * 1000,)
            )


def creation_times(database: Path) -> list[int]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT CreationDateTime FROM us")]

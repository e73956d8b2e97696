"""DynamoDB Local as the embedded engine: its package, what it would lose by itself, and all that dynoxide does."""

import io
import os
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import tarfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from botocore.config import Config
from botocore.exceptions import BotoCoreError
from botocore.session import Session

from operations.backup.create import Manifest, create_backup
from operations.backup.restore import restore_backup
from socialsite.engine import dynamodb_local, process, running
from socialsite.engine.database import open_for_reading
from socialsite.engine.dynamodb_local import (
    DYNAMODB_LOCAL,
    FOLDER,
    LIBRARIES,
    NATIVE_LIBRARIES,
    find_emulator,
    find_java,
    move_into_file,
    prepare_file,
    sweep_expired_items,
    unpack,
    wait_for_commits,
)
from socialsite.engine.process import secret_address
from socialsite.engine.program import EngineError
from tests.engine.processes import (
    PROJECT,
    TABLE,
    create_table,
    engine_pids,
    names,
    put,
    stream_records,
)
from tests.engine.test_engine_ownership import eventually, owner_pid
from tests.engines import _dynamodb_local_folder

LISTEN = Path(dynamodb_local.__file__).with_name("listen.xml")
START_SECONDS = 60
KEY, REGION = "test", "us-east-1"  # those of tests/engine/processes.py


class MortalLocal:
    """One engine process after the other on the same file."""

    def __init__(self, data_dir: Path, *, journal: str = "WAL") -> None:
        self.journal = journal
        self.database = data_dir / f"{KEY}_{REGION}.db"
        self.url = secret_address()
        self.host, _, self.port = self.url.removeprefix("http://").partition(":")
        self.start()

    def start(self) -> None:
        """Start it as the site does, and return once it listens."""
        dynamodb_local.prepare_file(self.database)
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute(f"PRAGMA journal_mode = {self.journal}")
        emulator = _dynamodb_local_folder()
        libraries = emulator / "DynamoDBLocal_lib"
        log = self.database.with_name("engine.log")
        self.process = subprocess.Popen(
            [
                *(str(shutil.which("java")), "-Xmx256m", "-XX:TieredStopAtLevel=1"),
                f"-Djava.library.path={libraries}",
                f"-Dsqlite4java.library.path={libraries}",
                "-Dorg.eclipse.jetty.server.LEVEL=INFO",
                *("-cp", f"{emulator}/DynamoDBLocal.jar{os.pathsep}{libraries}/*"),
                "org.eclipse.jetty.xml.XmlConfiguration",
                *(f"host={self.host}", f"port={self.port}", f"dbPath={self.database.parent}"),
                str(LISTEN),
            ],
            stdin=subprocess.DEVNULL,
            stdout=log.open("w"),
            stderr=subprocess.STDOUT,
        )
        deadline = time.monotonic() + START_SECONDS
        while f"{{{self.host}:{self.port}}}" not in log.read_text():
            assert self.process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.02)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()

    def connect(self) -> Any:
        """Return a client that asks once: a repeated call would hide a lost answer."""
        return Session().create_client(
            "dynamodb",
            region_name=REGION,
            endpoint_url=self.url,
            aws_access_key_id=KEY,
            aws_secret_access_key="test",
            config=Config(retries={"total_max_attempts": 1}, proxies={}, read_timeout=20),
        )

    def stored(self) -> set[str]:
        """Return the partition keys that the file holds, however its engine ended."""
        with closing(sqlite3.connect(self.database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            rows = connection.execute(
                f"SELECT json_extract(CAST(ObjectJSON AS TEXT), '$.PK.S') FROM {TABLE}"
            )
            return {key for (key,) in rows}


def create_indexed_table(client: Any) -> None:
    """Create the table with its stream and an index, as the site's own table has."""
    client.create_table(
        TableName=TABLE,
        AttributeDefinitions=[
            {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "indexed")
        ],
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-indexed",
                "KeySchema": [{"AttributeName": "indexed", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
        StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    )
    client.update_time_to_live(
        TableName=TABLE, TimeToLiveSpecification={"Enabled": True, "AttributeName": "ttl"}
    )


def write_three(client: Any, name: str) -> None:
    """Put three items in one transaction."""
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": TABLE, "Item": {"PK": {"S": f"{name}#{n}"}, "SK": {"S": "x"}}}}
            for n in range(3)
        ]
    )


# DynamoDB Local as the embedded engine: what it would lose by itself is kept.

not_on_moto = pytest.mark.engines(
    "dynamodb-local", reason="it needs Java and fetches DynamoDB Local"
)

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


@not_on_moto
@pytest.mark.timeout(300)
def test_it_listens_at_its_own_address_alone(local: MortalLocal) -> None:
    socket.create_connection((local.host, int(local.port)), timeout=2).close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(local.port)), timeout=2)


@not_on_moto
@pytest.mark.timeout(300)
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
@pytest.mark.long
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


@not_on_moto
@pytest.mark.timeout(300)
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


@not_on_moto
@pytest.mark.timeout(300)
def test_moving_the_log_beside_writers_costs_no_transaction(local: MortalLocal) -> None:
    def move(_: int) -> None:
        move_into_file(local.database)
        time.sleep(0.03)

    assert lost_beside_writers(local, move, times=100) == []


@not_on_moto
@pytest.mark.timeout(300)
def test_the_log_stays_short_when_it_is_moved(local: MortalLocal) -> None:
    """By itself it grows with each item that is put, here to some 14 MB."""
    client = local.connect()
    for number in range(600):
        put(client, f"number-{number}", content={"S": "x" * 300})
        if number % 100 == 0:
            move_into_file(local.database)
    assert local.database.with_name(f"{local.database.name}-wal").stat().st_size < LONGEST_LOG


def lost_beside_writers(local: MortalLocal, do: Callable[[int], None], *, times: int) -> list[str]:
    """Do something again and again beside three writers that each get something done, kill the engine, and return the
    transactions that it lost."""
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
    for number in count():
        do(number)
        if number >= times and len(answered) > times:
            break
    stop.set()
    for writer in writers:
        writer.join()
    local.connect().list_tables(Limit=1)  # the last transaction is committed
    local.kill()
    stored = local.stored()
    return [name for name in answered if f"{name}#0" not in stored]


@not_on_moto
@pytest.mark.timeout(300)
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


@not_on_moto
@pytest.mark.timeout(300)
def test_a_short_stop_leaves_the_streams_times_alone(local: MortalLocal) -> None:
    put(local.connect(), "first")
    local.end()
    before = creation_times(local.database)
    prepare_file(local.database, now=time.time() + 600)
    assert creation_times(local.database) == before


@not_on_moto
@pytest.mark.timeout(300)
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


@not_on_moto
@pytest.mark.timeout(300)
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


# What npm brings of DynamoDB Local: unpacked into its own folder, with a SQLite for each platform of the site.

MACH_O, FAT, ELF = b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\x7fELF"
# How a library begins, then where and what it says of its processor.
HEADERS = {
    "darwin-arm64": (MACH_O, 4, b"\x0c\x00\x00\x01"),
    "darwin-x64": (FAT, 28, b"\x01\x00\x00\x07"),  # behind one for 32 bits
    "linux-arm64": (ELF, 18, b"\xb7\x00"),
    "linux-x64": (ELF, 18, b"\x3e\x00"),
}


def test_only_its_own_files_are_unpacked(tmp_path: Path) -> None:
    """Python 3.11.2, that of Debian 12, cannot do so by itself."""
    archive, target = tmp_path / "packed.tgz", tmp_path / "folder" / "target"
    with tarfile.open(archive, "w:gz") as packed:
        for name in (
            "package/emulator/lib/a.so",
            "package/emulator/../../../evil",
            "package/other",
        ):
            member = tarfile.TarInfo(name)
            member.size = 4
            packed.addfile(member, io.BytesIO(b"code"))
        link = tarfile.TarInfo("package/emulator/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        packed.addfile(link)
    unpack(archive, target)
    files = [path for path in tmp_path.rglob("*") if not path.is_dir()]
    assert files == [archive, target / "package/emulator/lib/a.so"]
    assert files[1].read_bytes() == b"code"


@pytest.mark.parametrize("name", NATIVE_LIBRARIES)
def test_the_package_has_the_library_of_each_processor(name: str) -> None:
    try:
        emulator = find_emulator(PROJECT)
    except EngineError as error:
        pytest.skip(str(error))
    found = (emulator / LIBRARIES / NATIVE_LIBRARIES[name]).read_bytes()
    begin, place, processor = HEADERS[name]
    assert found.startswith(begin)
    assert found[place:].startswith(processor)


# DynamoDB Local does as embedded engine what dynoxide does: it is owned, attached to, revived, kept and copied.

StartSite = Callable[..., Any]
SLOW = 21  # seconds


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    try:
        DYNAMODB_LOCAL.find(PROJECT)
    except EngineError as error:
        pytest.skip(str(error))
    yield
    running.stop_owned()


def connect(endpoint: running.Endpoint, key: str = "") -> Any:
    return Session().create_client(
        "dynamodb",
        region_name="us-east-1",
        endpoint_url=endpoint.url,
        aws_access_key_id=key or endpoint.access_key,
        aws_secret_access_key="x",
        config=Config(proxies={}),
    )


def ensure(data_dir: Path) -> running.Endpoint:
    return running.ensure_running(project=PROJECT, data_dir=data_dir, table_name=TABLE)


@pytest.mark.usefixtures("chosen")
def test_it_is_attached_to_survives_kill_9_and_keeps_its_data(
    start_site: StartSite, tmp_path: Path
) -> None:
    endpoint = ensure(tmp_path)
    client = connect(endpoint)
    create_table(client)
    put(client, "kept")
    assert start_site().endpoint() == {"url": endpoint.url, "owner": False}
    assert connect(endpoint, key="stranger").list_tables()["TableNames"] == []
    (pid,) = engine_pids(tmp_path)
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: engine_pids(tmp_path) not in ([], [pid]), 30)
    assert eventually(lambda: process.answers(endpoint.url), 30)
    assert names(client) == ["kept"]
    assert {
        stat.S_IMODE(file.stat().st_mode) & 0o077 for file in (tmp_path / FOLDER).iterdir()
    } == {0}


@pytest.mark.usefixtures("chosen")
def test_an_attached_process_takes_it_over_after_kill_9_of_its_owner(
    start_site: StartSite, tmp_path: Path
) -> None:
    owner, attached = start_site(), start_site()
    url = owner.endpoint()["url"]
    if attached.endpoint()["owner"]:
        owner, attached = attached, owner
    client = connect(running.Endpoint(url, DYNAMODB_LOCAL.access_key(tmp_path), owner=False))
    create_table(client)
    put(client, "before")
    owner.kill()
    assert eventually(lambda: owner_pid(tmp_path) == attached.popen.pid, 30)
    assert process.answers(url)
    put(client, "after")
    assert names(client) == ["after", "before"]
    assert len(engine_pids(tmp_path)) == 1
    attached.popen.communicate(timeout=20)
    assert not engine_pids(tmp_path)


@pytest.mark.usefixtures("chosen")
@pytest.mark.long
def test_a_process_waits_for_its_owner_as_long_as_the_engine_may_take_to_start(
    start_site: StartSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """On a slow machine Java takes longer than any other program."""
    slow = tmp_path / "bin" / "java"
    slow.parent.mkdir()
    slow.write_text(f'#!/bin/sh\n[ "$1" = -version ] || sleep {SLOW}\nexec {find_java()} "$@"\n')
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=os.pathsep)
    endpoints = [site.endpoint() for site in (start_site(), start_site())]
    assert sorted(endpoint["owner"] for endpoint in endpoints) == [False, True]


@pytest.mark.usefixtures("chosen")
def test_a_backup_is_restored_where_its_program_finds_it(tmp_path: Path) -> None:
    site, other, file = tmp_path / "site", tmp_path / "other", tmp_path / "site.tar.gz"
    client = connect(ensure(site))
    create_table(client)
    put(client, "kept")
    manifest = Manifest(made_at="now", table=TABLE, data_version=1, key_ids=[])
    create_backup(data_dir=site, target=file, manifest=manifest, on_bytes=lambda *_: None)
    put(client, "later")
    running.stop_owned()
    restore_backup(file, data_dir=other, newest_version=1, given_keys=[])
    restored = ensure(other)
    assert names(connect(restored)) == ["kept"]
    assert restored.access_key != DYNAMODB_LOCAL.access_key(site)


@pytest.mark.usefixtures("chosen")
def test_a_lost_database_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    create_table(connect(ensure(tmp_path)))
    assert eventually((tmp_path / "engine.table").exists)
    running.stop_owned()
    shutil.rmtree(tmp_path / FOLDER)
    with pytest.raises(EngineError, match="is gone or empty"):
        ensure(tmp_path)


@pytest.mark.usefixtures("chosen")
def test_it_ends_before_the_disk_is_full_as_it_would_lose_what_it_acknowledged(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ensure(tmp_path)
    room = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: room._replace(free=49_000_000))
    assert eventually(lambda: not engine_pids(tmp_path))
    assert "Make room" in running.data_problem(tmp_path)
    running.stop_owned()
    with pytest.raises(EngineError, match="less than 50 MB left"):
        ensure(tmp_path)
    monkeypatch.undo()
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    assert ensure(tmp_path).owner

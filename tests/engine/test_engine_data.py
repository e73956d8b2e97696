"""The data of the embedded engine: its stream, expiry, backup, and files that are nobody else's."""

import errno
import os
import shutil
import sqlite3
import stat
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from socialsite import keys
from socialsite.engine import dynoxide, process
from socialsite.engine.database import back_up, open_for_reading, open_for_writing
from socialsite.engine.dynoxide import (
    DYNOXIDE,
    HAS_TTL,
    INDEX,
    RETENTION_SECONDS,
    TTL,
    database_path,
    index_stream,
    sweep_expired_items,
    trim_stream,
)
from socialsite.engine.program import EngineError
from socialsite.engine.running import ensure_running, is_full, stop_owned
from socialsite.private_files import create_private, exposed_paths, make_private, write_private
from tests.engine.processes import (
    PROJECT,
    TABLE,
    RunningTable,
    SiteProcess,
    connect,
    create_table,
    names,
    put,
    stream_records,
)

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


# Items past their time to live are deleted by the owner, and each deletion is in the stream.

YEAR = 365 * 24 * 3600


def test_only_expired_items_are_deleted(table: RunningTable) -> None:
    now = int(time.time())
    put(table.client, "expired", ttl={"N": str(now - 1)})
    put(table.client, "expires-now", ttl={"N": str(now)})
    put(table.client, "later", ttl={"N": str(now + 60)})
    put(table.client, "for-ever")
    put(table.client, "text", ttl={"S": str(now - 1)})
    put(table.client, "zero", ttl={"N": "0"})
    put(table.client, "six-years-ago", ttl={"N": str(now - 6 * YEAR)})

    assert sweep(table, now) == 2
    assert names(table.client) == ["for-ever", "later", "six-years-ago", "text", "zero"]
    assert sweep(table, now) == 0


def test_each_deletion_is_a_remove_record_with_the_old_image(table: RunningTable) -> None:
    now = int(time.time())
    put(table.client, "expired", ttl={"N": str(now - 1)}, content={"S": "gone"})
    sweep(table, now)
    removal = stream_records(table.url)[-1]
    assert removal["eventName"] == "REMOVE"
    assert removal["dynamodb"]["OldImage"]["content"] == {"S": "gone"}
    assert removal["dynamodb"]["OldImage"]["ttl"] == {"N": str(now - 1)}


def test_an_item_renewed_after_it_was_found_stays(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = int(time.time())
    put(table.client, "renewed", ttl={"N": str(now - 1)})
    find = dynoxide._expired_keys

    def find_then_renew(*arguments: object) -> object:
        found = find(*arguments)  # type: ignore[arg-type]
        put(table.client, "renewed", ttl={"N": str(now + 60)})
        return found

    monkeypatch.setattr(dynoxide, "_expired_keys", find_then_renew)
    assert sweep(table, now) == 0
    assert names(table.client) == ["renewed"]


def test_more_than_one_chunk_is_deleted_in_one_sweep(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dynoxide, "CHUNK", 5)
    now = int(time.time())
    for number in range(12):
        put(table.client, f"expired-{number:02}", ttl={"N": str(now - number)})
    assert sweep(table, now) == 12
    assert names(table.client) == []


def test_a_table_that_does_not_exist_yet_has_nothing_to_sweep(table: RunningTable) -> None:
    assert sweep_expired_items(table.database, table.url, "not-there-yet") == 0


def test_the_sweep_works_again_after_the_table_was_made_anew(table: RunningTable) -> None:
    now = int(time.time())
    sweep(table, now)
    table.client.delete_table(TableName=TABLE)
    create_table(table.client)
    put(table.client, "expired", ttl={"N": str(now - 1)})
    assert sweep(table, now) == 1


def test_expired_items_are_found_through_an_index(table: RunningTable) -> None:
    sweep(table, int(time.time()))
    with open_for_reading(table.database) as connection:
        plan = connection.execute(
            f'EXPLAIN QUERY PLAN SELECT 1 FROM "{TABLE}" WHERE {HAS_TTL} AND {TTL} <= 1'
        ).fetchall()
    assert f"USING INDEX {TABLE}.ttl" in plan[0][3]


def test_the_users_own_aws_settings_do_not_disturb_the_sweep(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "does-not-exist")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    now = int(time.time())
    put(table.client, "expired", ttl={"N": str(now - 1)})
    assert sweep(table, now) == 1


def test_the_owner_sweeps_by_itself_when_it_starts(
    start_site: Callable[..., SiteProcess], tmp_path: Path
) -> None:
    first = start_site()
    client = connect(first.endpoint()["url"])
    create_table(client)
    put(client, "expired", ttl={"N": str(int(time.time()) - 1)})
    put(client, "kept")
    first.exit()

    client = connect(start_site().endpoint()["url"])
    deadline = time.monotonic() + 60
    while names(client) != ["kept"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert names(client) == ["kept"]


def sweep(table: RunningTable, now: int) -> int:
    return sweep_expired_items(table.database, table.url, TABLE, now=now)


# A backup is one whole file of one moment, taken while the engine runs.


def test_a_backup_opens_in_another_engine_with_the_data(
    table: RunningTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    put(table.client, "first")
    put(table.client, "second")
    folder = tmp_path_factory.mktemp("restored")
    target = folder / "monday.backup"
    assert back_up(table.database, target) == target.stat().st_size > 0
    assert [path.name for path in folder.iterdir()] == ["monday.backup"]
    put(table.client, "after")

    shutil.copy(target, database_path(folder))
    engine = process.start(DYNOXIDE, PROJECT, folder, die_with_starter=False)
    try:
        assert names(connect(engine.url)) == ["first", "second"]
        assert len(stream_records(engine.url)) == 2
    finally:
        process.stop(engine)


def test_a_backup_holds_no_half_transaction(table: RunningTable, tmp_path: Path) -> None:
    done = threading.Event()
    with ThreadPoolExecutor() as pool:
        writing = pool.submit(write_pairs_until, done, connect(table.url))
        targets = [tmp_path / f"{number}.backup" for number in range(5)]
        for target in targets:
            back_up(table.database, target)
        done.set()
        assert writing.result() > 0
    for target in targets:
        with closing(sqlite3.connect(target)) as copy:
            (count,) = copy.execute(f'SELECT COUNT(*) FROM "{TABLE}"').fetchone()
        assert count % 2 == 0


def test_a_stopped_engines_data_can_be_backed_up(tmp_path: Path) -> None:
    engine = process.start(DYNOXIDE, PROJECT, tmp_path, die_with_starter=False)
    process.stop(engine)
    assert back_up(database_path(tmp_path), tmp_path / "stopped.backup") > 0


def test_an_existing_file_is_never_overwritten(table: RunningTable, tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("precious")
    with pytest.raises(EngineError, match=r"already exists\. Choose another name"):
        back_up(table.database, target)
    assert target.read_text() == "precious"


def test_a_folder_without_a_database_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"There is no database in .*: start the site once"):
        back_up(database_path(tmp_path), tmp_path / "backup")


def test_a_target_in_a_missing_folder_is_one_sentence(table: RunningTable, tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="make sure that its folder exists"):
        back_up(table.database, tmp_path / "missing" / "backup")


def write_pairs_until(done: threading.Event, client: Any) -> int:
    pairs = 0
    while not done.is_set():
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": TABLE, "Item": {"PK": {"S": side}, "SK": {"S": str(pairs)}}}}
                for side in ("left", "right")
            ]
        )
        pairs += 1
    return pairs


# Nothing in the data folder can be opened by another account of the machine.


@pytest.fixture
def usual_umask():
    """What most systems set: others may read what a program makes without thinking of it."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in (folder, *folder.rglob("*"))
    }


def assert_private(folder: Path) -> None:
    for name, mode in modes(folder).items():
        assert mode == ("0o700" if (folder / name).is_dir() else "0o600"), (name, mode)


@pytest.mark.usefixtures("usual_umask")
def test_all_that_the_engine_makes_is_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    try:
        ensure_running(project=PROJECT, data_dir=folder, table_name="socialsite")
        made = set(modes(folder))
        assert {"dynamodb.sqlite3", "dynamodb.sqlite3-wal", "engine.json", "engine.log"} <= made
        assert_private(folder)
    finally:
        stop_owned()
    assert_private(folder)


@pytest.mark.usefixtures("usual_umask")
def test_a_backup_is_for_this_user_alone(table: RunningTable, tmp_path: Path) -> None:
    target = tmp_path / "monday.backup"
    back_up(table.database, target)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


# What each entry point does first: it reads the settings.
ENTRY_POINTS = {
    "a command": ["manage.py", "help"],
    "the check": ["manage.py", "check"],
    "gunicorn": ["-c", "import socialsite.wsgi"],
    "Lambda": ["-c", "import socialsite.streams.lambda_handler"],
}


@pytest.mark.usefixtures("usual_umask")
@pytest.mark.parametrize("arguments", ENTRY_POINTS.values(), ids=ENTRY_POINTS)
def test_every_entry_point_mends_a_folder_of_an_earlier_version(
    arguments: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "var"
    (folder / "media" / "avatars").mkdir(parents=True)
    for name in ("dynamodb.sqlite3", "data_key.txt", "secret_key.txt", "media/avatars/1.webp"):
        (folder / name).write_text("x" * 40)
    assert set(modes(folder).values()) == {"0o755", "0o644"}
    run(arguments, folder)
    assert_private(folder)


@pytest.mark.usefixtures("usual_umask")
def test_secrets_that_a_laptop_makes_are_for_this_user_alone(tmp_path: Path) -> None:
    run(["manage.py", "check"], tmp_path / "var")
    assert {"data_key.txt", "secret_key.txt"} <= set(modes(tmp_path / "var"))
    assert_private(tmp_path / "var")


@pytest.mark.usefixtures("usual_umask")
def test_uploads_and_the_archive_are_for_this_user_alone(tmp_path: Path) -> None:
    script = (
        "import django; django.setup()\n"
        "from django.core.files.base import ContentFile\n"
        "from django.core.files.storage import storages\n"
        "for name in ('default', 'archive'):\n"
        "    storages[name].save('archive/day/file', ContentFile(b'x'))\n"
    )
    run(["-c", script], tmp_path / "var")
    assert {"media/archive/day/file", "archive/day/file"} <= set(modes(tmp_path / "var"))
    assert_private(tmp_path / "var")


@pytest.mark.usefixtures("usual_umask")
def test_a_folder_that_holds_something_else_keeps_its_mode_and_is_warned_about(
    tmp_path: Path,
) -> None:
    (tmp_path / "data_key.txt").write_text("x" * 40)
    (tmp_path / "holiday.jpg").write_text("")
    tmp_path.chmod(0o755)
    said = run(["manage.py", "check"], tmp_path)
    assert f"the data folder {tmp_path}, which also holds holiday.jpg" in said
    assert modes(tmp_path)["holiday.jpg"] == "0o644"
    assert modes(tmp_path)["data_key.txt"] == "0o600"
    assert exposed_paths(tmp_path) == [tmp_path]


@pytest.mark.usefixtures("usual_umask")
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("")
    folder = tmp_path / "var"
    folder.mkdir()
    (folder / "engine.log").symlink_to(elsewhere)
    make_private(folder)
    assert modes(tmp_path)["elsewhere"] == "0o644"


@pytest.mark.usefixtures("usual_umask")
def test_a_missing_folder_is_not_made(tmp_path: Path) -> None:
    make_private(tmp_path / "var")
    assert not (tmp_path / "var").exists()


@pytest.mark.usefixtures("usual_umask")
def test_a_secret_is_made_once_and_whole(tmp_path: Path) -> None:
    create_private(tmp_path / "data_key.txt", "first")
    create_private(tmp_path / "data_key.txt", "second")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["first"]
    write_private(tmp_path / "data_key.txt", "third")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["third"]


def run(arguments: list[str], data_dir: Path) -> str:
    environment = {"DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "socialsite.settings"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return " ".join((done.stdout + done.stderr).split())


@pytest.mark.usefixtures("usual_umask")
def test_a_read_only_disk_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks say so, or whatever has to write there."""
    (tmp_path / "data_key.txt").touch(mode=0o644)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "chmod", refuse)
    make_private(tmp_path)
    assert exposed_paths(tmp_path)


# A disk is full when the engine of its data folder can write nothing more.

MB = 1_000_000


@pytest.mark.parametrize(
    ("engine", "free", "full"),
    [
        ("dynoxide", 2 * MB, False),
        ("dynoxide", MB // 2, True),
        ("dynamodb-local", 60 * MB, False),
        ("dynamodb-local", 40 * MB, True),
        ("no such engine", 2 * MB, False),
        ("no such engine", 0, True),
    ],
)
def test_the_engine_says_how_much_must_be_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, free: int, full: bool
) -> None:
    """DynamoDB Local loses what it acknowledged on a full disk, so it is ended before that."""
    monkeypatch.setenv("ENGINE", engine)
    usage = shutil.disk_usage(tmp_path)._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert is_full(tmp_path) is full


def test_without_a_folder_nothing_is_full(tmp_path: Path) -> None:
    assert not is_full(tmp_path / "none")

"""A backup is one whole file of one moment, taken while the engine runs."""

import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from socialsite.engine import process
from socialsite.engine.database import back_up
from socialsite.engine.dynoxide import DYNOXIDE, database_path
from socialsite.engine.program import EngineError
from tests.engine.processes import PROJECT, RunningTable
from tests.engine.table import TABLE, connect, names, put, stream_records


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

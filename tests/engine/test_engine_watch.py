"""Data that vanish or change under the running engine are noticed, told, and never replaced by empty ones."""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from socialsite.engine import running
from socialsite.engine.dynoxide import database_path
from socialsite.engine.owner import TABLE_NOTE, Watch
from socialsite.engine.program import EngineError
from tests.engine.processes import PROJECT, engine_pids
from tests.engine.table import TABLE, connect, create_table, put
from tests.engine.test_engine_ownership import eventually
from tests.injected.rotation import share

NOTICED_WITHIN = 60  # seconds, on a busy machine


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A data folder in use, with a table and some hundred items."""
    folder = tmp_path / "var"
    client = connect(ensure(folder).url)
    create_table(client)
    for number in range(300):
        put(client, f"item-{number}", content={"S": "x" * 300})
    assert eventually((folder / TABLE_NOTE).exists)
    yield folder
    running.stop_owned()


def remove_the_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def remove_the_database(folder: Path) -> None:
    database_path(folder).unlink()


def put_another_file_in_its_place(folder: Path) -> None:
    shutil.copy(database_path(folder), folder.parent / "copy")
    os.replace(folder.parent / "copy", database_path(folder))


def empty_the_file(folder: Path) -> None:
    os.truncate(database_path(folder), 0)


def write_garbage_over_pages(folder: Path) -> None:
    checkpoint(folder)
    write_garbage(database_path(folder))


def write_garbage(database: Path) -> None:
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(os.fstat(file.fileno()).st_size - 4096))


LOSSES = [
    remove_the_folder,
    remove_the_database,
    put_another_file_in_its_place,
    empty_the_file,
    write_garbage_over_pages,
]


# Two of five, others each run; without their names as ids, which have to be the same in all processes.
@pytest.mark.parametrize("lose", share(LOSSES, one_of=3, salt="losses"), ids=lambda _: "loss")
def test_lost_data_are_noticed_and_the_engine_ends(
    site: Path, lose: Callable[[Path], None]
) -> None:
    assert running.data_problem(site) == ""
    lose(site)
    began = time.monotonic()
    while not running.data_problem(site) and time.monotonic() - began < NOTICED_WITHIN:
        time.sleep(0.05)
    assert "Stop the site" in running.data_problem(site)
    assert str(site) not in running.data_problem(site)
    assert eventually(lambda: not engine_pids(site), NOTICED_WITHIN)
    print(f"\n{lose.__name__}: noticed after {time.monotonic() - began:.1f} s")
    # Neither the owner nor a new process makes an empty database of it.
    time.sleep(3)
    assert not engine_pids(site)


@pytest.mark.parametrize("lose", [remove_the_database, empty_the_file], ids=lambda f: f.__name__)
def test_a_start_on_lost_data_is_one_sentence(site: Path, lose: Callable[[Path], None]) -> None:
    running.stop_owned()
    lose(site)
    with pytest.raises(
        EngineError, match=r"is gone or empty, but .* restore a backup with .*, or delete"
    ):
        ensure(site)


def test_a_start_on_damaged_pages_is_one_sentence(site: Path) -> None:
    running.stop_owned()
    write_garbage_over_pages(site)
    with pytest.raises(EngineError, match=r"is damaged|did not start|inside that this version"):
        ensure(site)
    assert not engine_pids(site)


def test_a_deleted_folder_is_a_new_site(site: Path) -> None:
    running.stop_owned()
    shutil.rmtree(site)
    assert ensure(site).owner


def test_a_file_that_was_held_during_a_check_is_checked_again(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socialsite.engine.database.BUSY_SECONDS", 0.1)
    running.stop_owned()
    checkpoint(site)
    watch = Watch(site, database_path(site))
    watch.begin()
    alone = sqlite3.connect(database_path(site))
    alone.executescript("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
    write_garbage(database_path(site))
    assert watch.look_closely() == ""
    alone.close()
    began = time.monotonic()
    while not (problem := watch.look_closely()) and time.monotonic() - began < NOTICED_WITHIN:
        time.sleep(0.05)
    assert "is damaged" in problem


def test_an_engine_under_load_is_not_mistaken_for_damaged(site: Path) -> None:
    client = connect(ensure(site).url)
    until = time.monotonic() + 6
    number = 0
    while time.monotonic() < until:
        put(client, f"more-{number}", content={"S": "x" * 3000})
        number += 1
        if not number % 200:
            checkpoint(site)
    assert running.data_problem(site) == ""
    assert len(engine_pids(site)) == 1


def ensure(data_dir: Path) -> running.Endpoint:
    return running.ensure_running(project=PROJECT, data_dir=data_dir, table_name=TABLE)


def checkpoint(data_dir: Path) -> None:
    """Moves the whole log into the file, as the engine does now and then."""
    connection = sqlite3.connect(database_path(data_dir))

    def is_done() -> bool:
        is_busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy

    assert eventually(is_done)
    connection.close()

"""One engine per data folder: which, where, who starts, attaches, takes over, watches and ends it."""

import logging
import os
import platform
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from socialsite.engine import lock, process, running
from socialsite.engine.choice import choose
from socialsite.engine.dynamodb_local import (
    DYNAMODB_LOCAL,
    LIBRARIES,
    NATIVE_LIBRARIES,
    find_emulator,
)
from socialsite.engine.dynoxide import DYNOXIDE, database_path
from socialsite.engine.owner import TABLE_NOTE, Watch
from socialsite.engine.program import EngineError
from tests.engine.processes import (
    PROJECT,
    TABLE,
    RunningTable,
    SiteProcess,
    connect,
    create_table,
    engine_pids,
    names,
    put,
)
from tests.injected.faults import share

StartSite = Callable[..., Any]


def test_the_owner_leaves_no_process_and_no_state_behind(
    start_site: StartSite, tmp_path: Path
) -> None:
    site = start_site()
    endpoint = site.endpoint()
    assert endpoint["owner"]
    assert process.answers(endpoint["url"])
    site.exit()
    assert not engine_pids(tmp_path)
    assert lock.read_state(tmp_path) is None


def test_a_second_process_attaches_and_leaves_the_engine_to_its_owner(
    start_site: StartSite, tmp_path: Path
) -> None:
    first = start_site()
    owned = first.endpoint()
    second = start_site()
    attached = second.endpoint()
    assert attached == {"url": owned["url"], "owner": False}
    second.exit()
    assert process.answers(owned["url"])
    assert len(engine_pids(tmp_path)) == 1


def test_processes_that_start_at_once_end_up_with_one_engine(
    start_site: StartSite, tmp_path: Path
) -> None:
    sites = [start_site() for _ in range(4)]
    endpoints = [site.endpoint() for site in sites]
    assert len({endpoint["url"] for endpoint in endpoints}) == 1
    assert sorted(endpoint["owner"] for endpoint in endpoints) == [False, False, False, True]
    assert len(engine_pids(tmp_path)) == 1


def test_asking_twice_in_a_process_gives_the_same_engine(tmp_path: Path) -> None:
    try:
        first = ensure(tmp_path)
        assert ensure(tmp_path) is first
        assert first.owner
    finally:
        running.stop_owned()
    assert not engine_pids(tmp_path)


def test_the_engine_is_out_of_reach_of_a_terminals_ctrl_c(tmp_path: Path) -> None:
    try:
        ensure(tmp_path)
        (pid,) = engine_pids(tmp_path)
        assert os.getpgid(pid) != os.getpgid(0)
        assert os.getsid(pid) != os.getsid(0)
    finally:
        running.stop_owned()


def test_a_forked_child_neither_owns_nor_ends_the_engine(start_site: StartSite) -> None:
    site = start_site("fork")
    owned = site.endpoint()
    assert site.endpoint() == {"url": owned["url"], "owner": False}
    assert site.popen.stdout.readline() == "the child has ended\n"
    assert process.answers(owned["url"])
    site.exit()


def test_a_forked_child_does_not_keep_the_lock_of_a_dead_owner(
    start_site: StartSite, tmp_path: Path
) -> None:
    fork_and_die = (
        "import os, sys, time\n"
        f"sys.path[:0] = [{str(PROJECT)!r}]\n"
        "from pathlib import Path\n"
        "from socialsite.engine.running import ensure_running\n"
        f"ensure_running(project=Path({str(PROJECT)!r}), data_dir=Path({str(tmp_path)!r}), "
        "table_name='socialsite')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    time.sleep(30)\n"
        "    os._exit(0)\n"
        "Path(sys.argv[1]).write_text(str(child))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    child_file = tmp_path / "child"
    assert os.spawnl(os.P_WAIT, sys.executable, "python", "-c", fork_and_die, child_file) == -9
    child = int(child_file.read_text())
    try:
        assert process.is_alive(child)
        assert start_site().endpoint()["owner"]
    finally:
        os.kill(child, signal.SIGKILL)


def test_after_kill_9_of_the_owner_the_data_is_there_and_the_orphan_is_gone(
    start_site: StartSite, tmp_path: Path
) -> None:
    # Not bound to its owner's life, as everywhere but on Linux.
    engine = process.start(DYNOXIDE, PROJECT, tmp_path, die_with_starter=False)
    client = connect(engine.url)
    create_table(client)
    put(client, "kept")
    (orphan,) = engine_pids(tmp_path)
    dead = subprocess.Popen(["true"])
    dead.wait()
    lock.write_state(tmp_path, lock.State(engine.url, orphan, owner_pid=dead.pid))

    endpoint = start_site().endpoint()
    assert endpoint["owner"]
    assert not process.is_alive(orphan)
    assert len(engine_pids(tmp_path)) == 1
    assert names(connect(endpoint["url"])) == ["kept"]


def test_nobody_attaches_to_an_orphan_that_its_successor_is_about_to_end(
    table: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    (orphan,) = engine_pids(table.data_dir)
    lock.write_state(table.data_dir, lock.State(table.url, orphan, owner_pid=dead.pid))
    successor = lock.try_lock(table.data_dir)
    assert successor is not None
    monkeypatch.setattr(running, "ATTACH_STARTS", 0.01)
    with pytest.raises(EngineError, match="does not answer"):
        ensure(table.data_dir)
    os.close(successor)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
@pytest.mark.parametrize("asked_from", ["main", "thread"])
@pytest.mark.parametrize("engine_is", ["running", "frozen"])
def test_the_engine_ends_with_an_owner_that_is_killed(
    start_site: StartSite, tmp_path: Path, asked_from: str, engine_is: str
) -> None:
    site = start_site(asked_from)
    site.endpoint()
    (pid,) = engine_pids(tmp_path)
    if engine_is == "frozen":
        os.kill(pid, signal.SIGSTOP)
    site.kill()
    assert eventually(lambda: not process.is_alive(pid))


def test_an_engine_that_dies_comes_back_at_the_same_address_with_its_data(tmp_path: Path) -> None:
    try:
        endpoint = ensure(tmp_path)
        client = connect(endpoint.url)
        create_table(client)
        put(client, "kept")
        (first,) = engine_pids(tmp_path)
        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: first not in engine_pids(tmp_path))
        assert eventually(lambda: process.answers(endpoint.url))
        assert names(client) == ["kept"]
        assert eventually(lambda: published_engine(tmp_path) == engine_pids(tmp_path))
    finally:
        running.stop_owned()


def ensure(data_dir: Path) -> running.Endpoint:
    return running.ensure_running(project=PROJECT, data_dir=data_dir, table_name="socialsite")


def published_engine(data_dir: Path) -> list[int]:
    state = lock.read_state(data_dir)
    return [state.engine_pid] if state else []


def eventually(holds: Callable[[], bool], seconds: float = 60) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.05)
    return holds()


# When the owner of the engine goes, another process of the same data folder takes over at the same address.


def owner_pid(data_dir: Path) -> int:
    state = lock.read_state(data_dir)
    return state.owner_pid if state else 0


@pytest.mark.parametrize("ending", [SiteProcess.exit, SiteProcess.kill], ids=["exit", "kill -9"])
def test_an_attached_process_takes_over_with_the_data_at_the_same_address(
    start_site: StartSite, tmp_path: Path, ending: Callable[[SiteProcess], None]
) -> None:
    first = start_site()
    url = first.endpoint()["url"]
    client = connect(url)
    create_table(client)
    put(client, "before")
    second = start_site()
    assert second.endpoint() == {"url": url, "owner": False}
    ending(first)
    assert eventually(lambda: owner_pid(tmp_path) == second.popen.pid)
    put(client, "after")
    assert names(client) == ["after", "before"]
    assert len(engine_pids(tmp_path)) == 1
    second.popen.communicate(timeout=20)
    assert not engine_pids(tmp_path)
    assert lock.read_state(tmp_path) is None


def test_of_several_one_takes_over_each_time(start_site: StartSite, tmp_path: Path) -> None:
    sites = {site.popen.pid: site for site in (start_site() for _ in range(4))}
    (url,) = {site.endpoint()["url"] for site in sites.values()}
    while len(sites) > 1:
        assert eventually(lambda: owner_pid(tmp_path) in sites)
        sites.pop(owner_pid(tmp_path)).kill()
        assert eventually(lambda: process.answers(url))
        assert len(engine_pids(tmp_path)) == 1


def test_a_process_that_comes_in_between_uses_the_address_that_others_know(
    start_site: StartSite, tmp_path: Path
) -> None:
    first = start_site()
    url = first.endpoint()["url"]
    attached = start_site()
    attached.endpoint()
    attached.popen.send_signal(signal.SIGSTOP)  # so that it is not the one that takes over
    first.kill()
    newcomer = start_site()
    assert newcomer.endpoint() == {"url": url, "owner": True}
    attached.popen.send_signal(signal.SIGCONT)


def test_without_anybody_attached_the_next_start_gets_a_new_address(
    start_site: StartSite,
) -> None:
    first = start_site()
    url = first.endpoint()["url"]
    first.kill()
    assert start_site().endpoint()["url"] != url


def test_nobody_takes_over_other_data(start_site: StartSite, tmp_path: Path) -> None:
    first = start_site()
    first.endpoint()
    second = start_site()
    second.endpoint()
    os.kill(first.popen.pid, signal.SIGSTOP)  # it would notice by itself
    (tmp_path / "dynamodb.sqlite3").unlink()
    first.kill()
    assert eventually(lambda: not engine_pids(tmp_path))
    second.popen.stdin.close()
    second.popen.stdin = None
    errors = second.popen.stderr.read()
    assert second.popen.wait(timeout=20) == 0
    assert not (tmp_path / "dynamodb.sqlite3").exists()
    assert "Traceback" not in errors


# Data that vanish or change under the running engine are noticed, told, and never replaced by empty ones.

NOTICED_WITHIN = 60  # seconds, on a busy machine


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    """A data folder in use, with a table and some hundred items."""
    folder = tmp_path / "var"
    client = connect(ensure_running(folder).url)
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
        ensure_running(site)


def test_a_start_on_damaged_pages_is_one_sentence(site: Path) -> None:
    running.stop_owned()
    write_garbage_over_pages(site)
    with pytest.raises(EngineError, match=r"is damaged|did not start|inside that this version"):
        ensure_running(site)
    assert not engine_pids(site)


def test_a_deleted_folder_is_a_new_site(site: Path) -> None:
    running.stop_owned()
    shutil.rmtree(site)
    assert ensure_running(site).owner


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
    client = connect(ensure_running(site).url)
    until = time.monotonic() + 6
    number = 0
    while time.monotonic() < until:
        put(client, f"more-{number}", content={"S": "x" * 3000})
        number += 1
        if not number % 200:
            checkpoint(site)
    assert running.data_problem(site) == ""
    assert len(engine_pids(site)) == 1


def ensure_running(data_dir: Path) -> running.Endpoint:
    return running.ensure_running(project=PROJECT, data_dir=data_dir, table_name=TABLE)


def checkpoint(data_dir: Path) -> None:
    """Moves the whole log into the file, as the engine does now and then."""
    connection = sqlite3.connect(database_path(data_dir))

    def is_done() -> bool:
        is_busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not is_busy

    assert eventually(is_done)
    connection.close()


# Which program is the engine: that of the data folder, else the one that ENGINE names, else the machine's.


@pytest.fixture
def nothing_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ENGINE", raising=False)


def be(monkeypatch: pytest.MonkeyPatch, system: str, machine: str) -> None:
    monkeypatch.setattr(platform, "system", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)


@pytest.mark.usefixtures("nothing_chosen")
@pytest.mark.parametrize(
    ("system", "machine", "program"),
    [
        ("Linux", "x86_64", DYNOXIDE),
        ("Linux", "aarch64", DYNAMODB_LOCAL),
        ("Darwin", "arm64", DYNAMODB_LOCAL),
        ("Darwin", "x86_64", DYNAMODB_LOCAL),
    ],
)
def test_each_machine_takes_a_program_that_was_made_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, machine: str, program: object
) -> None:
    be(monkeypatch, system, machine)
    assert choose(tmp_path) is program


@pytest.mark.usefixtures("nothing_chosen")
def test_a_mac_needs_the_library_of_its_own_processor(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    be(monkeypatch, "Darwin", "arm64")
    emulator = tmp_path / "node_modules/.cache/dynamodb-local/2.9.30/emulator"
    (emulator / LIBRARIES).mkdir(parents=True)
    (emulator / "DynamoDBLocal.jar").touch()
    (emulator / LIBRARIES / NATIVE_LIBRARIES["darwin-x64"]).touch()
    with pytest.raises(EngineError, match="is not installed: run `make setup`"):
        find_emulator(tmp_path)
    (emulator / LIBRARIES / "libsqlite4java-osx-aarch64.dylib").touch()
    with pytest.raises(EngineError, match="is not the file this version expects"):
        find_emulator(tmp_path)


@pytest.mark.usefixtures("nothing_chosen")
def test_a_platform_that_neither_knows_is_told_the_other_ways(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    be(monkeypatch, "Linux", "riscv64")
    with pytest.raises(EngineError, match="does not exist for linux-riscv64: set DYNAMODB_END"):
        find_emulator(PROJECT)


@pytest.mark.usefixtures("nothing_chosen")
def test_engine_chooses_by_hand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    assert choose(tmp_path) is DYNAMODB_LOCAL
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("nothing_chosen")
def test_a_name_that_is_none_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ENGINE", "mongo")
    with pytest.raises(EngineError, match="set it to dynoxide or dynamodb-local, or unset it"):
        choose(tmp_path)


@pytest.mark.usefixtures("nothing_chosen")
def test_a_data_folder_keeps_its_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "dynamodb.sqlite3").touch()
    be(monkeypatch, "Darwin", "arm64")
    assert choose(tmp_path) is DYNOXIDE
    monkeypatch.setenv("ENGINE", "dynamodb-local")
    with pytest.raises(EngineError, match="were made with dynoxide, and ENGINE is dynamodb-local"):
        choose(tmp_path)


# The engine lets in everyone who reaches it, so nobody may guess where it listens.

on_linux = pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="only Linux has more loopback hosts than 127.0.0.1"
)


@on_linux
def test_host_and_port_are_new_at_each_start() -> None:
    addresses = [urlsplit(process.secret_address()) for _ in range(50)]
    assert len({address.hostname for address in addresses}) == 50
    assert len({address.port for address in addresses}) > 1
    assert all(str(address.hostname).startswith("127.") for address in addresses)
    assert "127.0.0.1" not in {address.hostname for address in addresses}


@on_linux
@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_the_engine_does_not_answer_where_a_web_page_would_look(
    table: RunningTable, host: str
) -> None:
    port = urlsplit(table.url).port
    with pytest.raises(OSError, match=r"refused|unreachable|assign|Address family"):
        socket.create_connection((host, port), timeout=2)


def test_only_a_private_file_tells_the_address(tmp_path: Path) -> None:
    try:
        url = running.ensure_running(project=PROJECT, data_dir=tmp_path, table_name="x").url
        host = str(urlsplit(url).hostname).encode()
        telling = [file for file in tmp_path.iterdir() if host in file.read_bytes()]
        assert tmp_path / lock.STATE_NAME in telling
        assert {stat.S_IMODE(file.stat().st_mode) for file in telling} == {0o600}
    finally:
        running.stop_owned()


def test_a_system_with_one_loopback_host_says_that_the_port_alone_hides_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # 192.0.2.0/24 is no network of any machine, as the rest of 127.0.0.0/8 is none on macOS.
    monkeypatch.setattr(process, "LOOPBACK_NET", process.ipaddress.ip_network("192.0.2.0/24"))
    with caplog.at_level(logging.WARNING, "socialsite.engine"):
        assert urlsplit(process.secret_address()).hostname == "127.0.0.1"
    assert "listen on 127.0.0.1 only" in caplog.text
    assert "DYNAMODB_ENDPOINT" in caplog.text

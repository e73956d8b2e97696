"""Real engines and real processes for the tests of the embedded engine."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from socialsite.engine import process
from socialsite.engine.dynoxide import DYNOXIDE
from tests.engine.processes import (
    PROJECT,
    RunningTable,
    SiteProcess,
    connect,
    create_table,
    engine_pids,
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    """An engine with an empty table, without the upkeep that an owner runs beside it."""
    engine = process.start(DYNOXIDE, PROJECT, tmp_path, die_with_starter=False)
    try:
        DYNOXIDE.complete(DYNOXIDE.database(tmp_path))
        client = connect(engine.url)
        create_table(client)
        yield RunningTable(data_dir=tmp_path, url=engine.url, client=client)
    finally:
        process.stop(engine)


@pytest.fixture
def start_site(tmp_path: Path) -> Iterator[Callable[..., SiteProcess]]:
    """Start processes that use one data folder; whatever still runs afterwards is ended."""
    started: list[SiteProcess] = []

    def start(where: str = "main") -> SiteProcess:
        started.append(SiteProcess(tmp_path, where))
        return started[-1]

    yield start
    for site in started:
        if site.popen.poll() is None:
            site.kill()
    for pid in engine_pids(tmp_path):
        process.end_orphan(pid, tmp_path)

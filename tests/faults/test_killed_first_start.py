"""A first start that is killed while it loads demo data is finished by the next one, wherever it was killed.

Real processes: the command with its own engine, killed as `kill -9` does, then an audit of the whole table.
"""

import os
import random
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from socialsite.engine.database import open_for_reading
from socialsite.engine.dynoxide import database_path
from tests.faults.crash_points import LONG
from tests.faults.processes import ROOT

pytestmark = pytest.mark.engines("embedded", reason="the command starts its own engine")

KILLS = 20 if LONG else 2
KILLS_OF_A_SITE = 5 if LONG else 2
SEED = ["seed", "--people=20", "--posts=150", "--follows=5"]


def start(data_dir: Path, *command: str) -> subprocess.Popen[bytes]:
    """Starts a command in an environment that holds no key, so that each site makes its own."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *(command or SEED)],
        cwd=ROOT,
        env={"DATA_DIR": str(data_dir), "PATH": os.environ["PATH"]},
        stdin=subprocess.DEVNULL,
        stdout=log_of(data_dir).open("a"),
        stderr=subprocess.STDOUT,
    )


def log_of(data_dir: Path) -> Path:
    return data_dir.with_suffix(".log")


def finish(data_dir: Path) -> float:
    """Lets a start come to its end, and says how long it took."""
    begun = time.monotonic()
    done = start(data_dir).wait(timeout=300)
    said = log_of(data_dir).read_text()
    assert done == 0 or "This table already has people in it" in said, said
    return time.monotonic() - begun


def pictures(data_dir: Path) -> int:
    return len(list((data_dir / "media").rglob("*.webp")))


def is_loading(data_dir: Path) -> bool:
    """Whether the plan of a load stands in the table."""
    with suppress(sqlite3.Error), open_for_reading(database_path(data_dir)) as connection:
        rows = connection.execute("SELECT item_json FROM socialsite WHERE pk = 'S:site#data'")
        return any("first_start" in text and "posts" in text for (text,) in rows)
    return False


def kill_while_loading(data_dir: Path, seconds: float) -> bool:
    """Kills a start at a random moment of its load; False if it was quicker."""
    child = start(data_dir)
    while not is_loading(data_dir) and child.poll() is None:
        time.sleep(0.02)
    time.sleep(random.uniform(0, seconds))
    was_running = child.poll() is None and is_loading(data_dir)
    child.kill()
    child.wait()
    return was_running


def kill_soon(data_dir: Path, seconds: float) -> None:
    """Kills a start at a random moment before it loads anything."""
    child = start(data_dir)
    time.sleep(random.uniform(0, seconds))
    child.kill()
    child.wait()


@pytest.mark.timeout(1800)
@pytest.mark.long
def test_killed_first_starts_are_finished(tmp_path):
    whole = finish(tmp_path / "whole")
    wanted = pictures(tmp_path / "whole")
    killed, sites = 0, 0
    while killed < KILLS:
        data_dir = tmp_path / f"site-{sites}"
        kill_soon(data_dir, whole / 3)
        killed += sum(kill_while_loading(data_dir, whole / 3) for _ in range(KILLS_OF_A_SITE))
        finish(data_dir)
        assert start(data_dir, "audit").wait(timeout=300) == 0, log_of(data_dir).read_text()
        assert pictures(data_dir) == wanted
        assert "Sign in as alice, bob, mod" in log_of(data_dir).read_text()
        sites += 1
    print(f"\nkilled while loading: {killed}, before: {sites}, sites finished: {sites}, wrong: 0")

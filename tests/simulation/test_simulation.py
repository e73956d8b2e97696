"""A seed gives one history: the simulation plays it again, and tells it from another."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from socialsite import process_state
from socialsite.table import connection
from tests.injected.faults import IS_LONG
from tests.simulation import processes

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.engines("embedded", reason="the engine is simulated"),
    pytest.mark.timeout(600),
]


def simulate(*arguments: str) -> str:
    """What `make simulate` prints."""
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("DYNAMODB", "DJANGO", "PYTEST"))
    }
    environment.pop("DATA_DIR", None)
    ended = subprocess.run(
        [sys.executable, "-m", "tests.simulation", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def hash_in(told: str) -> str:
    return re.findall(r"processor, ([0-9a-f]{32})", told)[-1]


def test_a_seed_played_twice_gives_the_same_table_and_the_same_history():
    first, second = (simulate("--seed", "12.1", "--steps", "300") for _ in range(2))
    assert hash_in(first) == hash_in(second)
    assert hash_in(simulate("--seed", "12.2", "--steps", "300")) != hash_in(first)


@pytest.mark.skipif(not IS_LONG, reason="it plays a whole season for it")
def test_the_history_that_a_season_had_among_others_it_has_alone():
    together = simulate("--seed", "13", "--steps", "4300")
    assert hash_in(together) == hash_in(simulate("--seed", "13.2", "--steps", "300"))


def test_what_a_process_keeps_of_the_table_belongs_to_each_simulated_process():
    """A module that begins to keep something is named in `KEPT`, or its processes would share it."""
    known = {place.partition(":")[0] for place in processes.KEPT} | set(SHARED)
    keeping = {
        drop.__module__
        for drop in process_state._drops
        if not isinstance(getattr(drop, "__self__", None), process_state.KeptCopy)
        and hasattr(drop, "__module__")
    }
    assert {one for one in keeping if one and one.split(".")[0] in ROOMS} <= known
    assert hasattr(connection, "_serves_pages")


ROOMS = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()} - {"tests"}
# What the simulated processes share without harm: addresses of files, what only the lens shows, what only Lambda uses,
# what is drawn from its key alone.
SHARED = (
    "accounts.people.cards",
    "lens.figures",
    "lens.sight",
    "socialsite.streams.status",
    "socialsite.table.as_person",
    "socialsite.web.drawings",
)

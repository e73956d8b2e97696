"""Two workers freeze before random writes, all checks behind them, while people follow, leave and post."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from socialsite.streams.models import Lease
from socialsite.streams.shards import Stream
from socialsite.streams.worker import Worker
from socialsite.table import NotFound, get, keys
from tests.faults.crash_points import LONG
from tests.faults.processes import Child, environment_of, own_engine, wait_until
from tests.faults.test_kills import assert_the_table_is
from tests.faults.world import World

pytestmark = [
    pytest.mark.engines("embedded", reason="it has an engine of its own"),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads states from /proc"),
    pytest.mark.timeout(3600 if LONG else 300),
]

FREEZES = int(os.environ.get("FAULTS_FREEZES", 100 if LONG else 2))  # in which the lease is taken
LEASE = {"STEAL_AFTER": "1.5", "BEAT_EVERY": "0.4", "FREEZE_CHANCE": "0.02"}
TAKEN_WITHIN = 30  # seconds, on a busy machine


def test_random_freezes_under_load_leave_every_timeline_right(tmp_path: Path) -> None:
    seed = os.environ.get("FAULTS_SEED", str(random.randrange(10**6)))
    chance = random.Random(seed)
    deeds = tmp_path / "deeds.jsonl"
    with own_engine() as (engine, table):
        environment = environment_of(engine.url, table, tmp_path)
        load_arguments = ["-m", "tests.faults.load", str(deeds), seed]
        workers = [
            Child(
                ["-m", "tests.faults.quick_worker"],
                environment | LEASE | {"WORKER_HOST": name},
                tmp_path / f"{name}.log",
            )
            for name in ("ant", "bee")
        ]
        unhurried = environment | {"LOAD_PAUSE": "0.1"}  # both workers are frozen half the time
        load = Child(load_arguments, unhurried, tmp_path / "load.log")
        try:
            freezes, robbed = freeze_at_random(chance, workers)
            load.kill()
            finishing = Child([*load_arguments, "finish"], environment, tmp_path / "load.log")
            assert finishing.process.wait(timeout=60) == 0, finishing.said()
            for worker in workers:
                thaw_until_it_ends(worker)
        finally:
            for child in (*workers, load):
                child.kill()
        Worker().drain()
        world = World.read(deeds)
        print(
            f"seed {seed}: {freezes} freezes, the lease taken in {robbed}, {world.deeds} acknowledged deeds, "
            f"settled {sum(w.said().count('may have written late') for w in workers)} times"
        )
        assert world.deeds > 20, load.said()
        assert_the_table_is(world)
    for worker in workers:
        assert "the worker starts over" not in worker.said(), worker.said()


def freeze_at_random(chance: random.Random, workers: list[Child]) -> tuple[int, int]:
    """Thaws whoever froze, once the other has taken the lease if it was the owner; says how often which."""
    freezes = robbed = 0
    while robbed < FREEZES:
        wait_until(lambda: any(map(is_stopped, workers)), seconds=TAKEN_WITHIN * 2)
        for worker in filter(is_stopped, workers):
            freezes += 1
            if is_owner(worker):
                others = [other for other in workers if other is not worker]
                wait_until(lambda: thawed(others) and not is_owner(worker), seconds=TAKEN_WITHIN)  # noqa: B023
                robbed += 1
            time.sleep(chance.uniform(0, 1))
            worker.send(signal.SIGCONT)
    return freezes, robbed


def is_stopped(worker: Child) -> bool:
    stat = Path(f"/proc/{worker.process.pid}/stat").read_text()
    return stat.rpartition(")")[2].split()[0] == "T"


def thawed(workers: list[Child]) -> bool:
    """Lets those go on who froze meanwhile."""
    for worker in filter(is_stopped, workers):
        worker.send(signal.SIGCONT)
    return True


def is_owner(worker: Child) -> bool:
    shard = Stream().shards()[0].shard_id
    try:
        owner = get(Lease, keys.lease(shard), consistent=True).owner or ""
    except NotFound:  # both may freeze before either has written the lease
        return False
    return f":{worker.process.pid}:" in owner


def thaw_until_it_ends(worker: Child) -> None:
    """Asks it to end; it tells what it may have written late before it does."""
    worker.send(signal.SIGTERM)
    wait_until(lambda: thawed([worker]) and worker.process.poll() is not None, seconds=60)

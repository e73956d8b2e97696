"""Real processes under load, killed without warning: what was acknowledged is there once, and everything adds up."""

import os
import random
import re
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from accounts.people.viewer import Viewer
from relations.models import RelationType
from relations.relation import is_in_force
from socialsite.engine import lock, process
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table.reading import scan
from tests.engine.processes import engine_pids
from tests.faults.crash_points import LONG
from tests.faults.looks import open_jobs, timeline_of
from tests.faults.processes import Child, environment_in, own_folder, wait_until
from tests.faults.world import World
from tests.looks import broken_invariants

pytestmark = [
    pytest.mark.engines("embedded", "dynamodb-local", reason="moto is no process"),
    pytest.mark.timeout(4 * 3600 if LONG else 900),
]

PROGRAMS = {"embedded": "dynoxide", "dynamodb-local": "dynamodb-local"}  # as ENGINE names them
KILLS = int(os.environ.get("FAULTS_KILLS", 1000 if LONG else 8))  # the short form kills each once
LONGEST_PAUSE = float(os.environ.get("FAULTS_PAUSE", "2"))  # seconds between two kills
AWAY_SECONDS = 60  # in which the site is back after a kill, on a busy machine
GUNICORN = [
    "-m",
    "gunicorn",
    "socialsite.wsgi",
    "--worker-class=gthread",
    "--threads=4",
    "--no-control-socket",
    "--bind",
    "127.0.0.1:0",
]


@pytest.mark.long
def test_kills_under_load_lose_nothing_and_double_nothing(
    pytestconfig: pytest.Config, tmp_path: Path
) -> None:
    """The site in its parts, as compose.yaml has them: one runs the engine, and each other one can take it over."""
    seed = os.environ.get("FAULTS_SEED", str(random.randrange(10**6)))
    chance = random.Random(seed)
    data_dir, deeds = tmp_path / "data", tmp_path / "deeds.jsonl"
    engine = {"ENGINE": PROGRAMS[pytestconfig.getoption("--engine")]}
    environment = environment_in(data_dir) | engine
    children: dict[str, Child] = {}

    def start(name: str, *arguments: str, **more: str) -> Child:
        children[name] = Child([*arguments], environment | more, tmp_path / f"{name}.log")
        return children[name]

    try:
        keeper = start("run_engine", "manage.py", "run_engine")
        wait_until(lambda: "Ctrl-C" in keeper.said(), seconds=AWAY_SECONDS)
        site = start("site", *GUNICORN)
        url = address_of(site)
        site.arguments = [*GUNICORN[:-1], url.removeprefix("http://")]
        workers = [start(f"worker {number}", "manage.py", "run_worker") for number in range(3)]
        load = start("load", "-m", "tests.faults.load", str(deeds), seed, LOAD_SITE=url)
        killed = kill_at_random(chance, deeds, data_dir, children)
        load.kill()
        load.arguments += ["finish"]
        load.start()
        assert load.process.wait(timeout=AWAY_SECONDS) == 0, load.said()
    finally:
        for child in children.values():
            child.kill()
    world = World.read(deeds)
    print(f"seed {seed}: killed {killed}, {world.deeds} acknowledged deeds")
    assert world.deeds > 20, load.said()
    with own_folder(data_dir):
        Worker().drain()
        assert_the_table_is(world)
    for worker in workers:
        assert "the worker starts over" not in worker.said(), worker.said()


def address_of(site: Child) -> str:
    """Where it listens: a port that it keeps when it is killed and started again."""
    wait_until(lambda: "Listening at" in site.said(), seconds=30)
    found = re.search(r"Listening at: (\S+)", site.said())
    assert found
    return found[1]


def kill_at_random(
    chance: random.Random, deeds: Path, data_dir: Path, children: dict[str, Child]
) -> dict[str, int]:
    """Kills one at a time and starts it again, each once before any a second time; says how often which.

    The engine is started again by its owner, and each of the site's processes can be that.
    """
    killed = dict.fromkeys([*children, "engine", "owner"], 0)
    order: list[str] = []
    wait_until(lambda: World.read(deeds).deeds > 20, seconds=AWAY_SECONDS)  # all are at work
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.3, LONGEST_PAUSE))
        order = order or chance.sample([*killed], len(killed))
        name = order.pop()
        if name in children:
            children[name].kill()
        else:
            kill_running(engine_pids if name == "engine" else owner_pids, data_dir)
        killed[name] += 1
        time.sleep(chance.uniform(0, 0.5))
        start_the_dead(children)
        if chance.random() < 0.5:  # else the next one may die before the site is back
            done = World.read(deeds).deeds
            wait_until(lambda: World.read(deeds).deeds > done, seconds=AWAY_SECONDS)  # noqa: B023
    return killed


def kill_running(pids: Callable[[Path], list[int]], data_dir: Path) -> None:
    """Kills what is looked for, as soon as there is one: after the kill before, none may run for a moment."""
    wait_until(lambda: bool(pids(data_dir)), seconds=AWAY_SECONDS)
    for pid in pids(data_dir):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def owner_pids(data_dir: Path) -> list[int]:
    state = lock.read_state(data_dir)
    return [state.owner_pid] if state and process.is_alive(state.owner_pid) else []


def start_the_dead(children: dict[str, Child]) -> None:
    """Starts again whatever has ended, as a supervisor does. The load alone ends by itself only if it was refused."""
    for name, child in children.items():
        if (ended := child.process.poll()) is not None:
            assert name != "load" or ended == -signal.SIGKILL, child.said()
            child.start()


def assert_the_table_is(world: World) -> None:
    """The table holds what was acknowledged, all of it and nothing else."""
    assert broken_invariants() == {}
    assert open_jobs() == []
    assert list_dead_letters() == []
    assert items_of("Post", "post_id", "author_id") == sorted(world.posts.items())
    assert items_of("Following", "user_id", "followed_id") == sorted(world.follows)
    assert items_of("Like", "user_id", "post_id") == sorted(world.likes)
    assert relations_of(RelationType.FRIEND) == world.friends
    assert relations_of(RelationType.FRIEND_REQUEST) == world.asked
    assert relations_of(RelationType.BLOCK) == world.blocks
    assert reported() == world.reports
    for user_id in world.people.values():
        followed = {other for one, other in world.follows if one == user_id} | {user_id}
        expected = [post_id for post_id, author in world.posts.items() if author in followed]
        assert timeline_of(Viewer(user_id)) == sorted(expected, reverse=True)


def items_of(kind: str, first: str, second: str) -> list[tuple[str, str]]:
    rows = (raw for raw in scan() if raw["type"]["S"] == kind)
    return sorted((raw[first]["S"], raw[second]["S"]) for raw in rows)


def relations_of(kind: RelationType) -> set[tuple[str, str]]:
    """Those in force, who and towards whom."""
    return {
        (raw["user_id"]["S"], raw["other_id"]["S"])
        for raw in scan()
        if raw["type"]["S"] == "Relation"
        and raw["relation_type"]["N"] == str(int(kind))
        and is_in_force(raw)
    }


def reported() -> set[tuple[str, str]]:
    rows = (raw for raw in scan() if raw["type"]["S"] == "CaseReport")
    return {(raw["reporter_id"]["S"], post_id) for raw in rows for post_id in raw["posts"]["SS"]}

"""Real processes under load, killed without warning: what was acknowledged is there once, and everything adds up."""

import os
import random
import re
import time
from pathlib import Path

import pytest

from accounts.viewer import Viewer
from relations.models import RelationType
from relations.relation import is_in_force
from socialsite.streams.status import list_dead_letters
from socialsite.streams.worker import Worker
from socialsite.table.reading import scan
from tests.faults.crash_points import LONG
from tests.faults.looks import open_jobs, timeline_of
from tests.faults.processes import Child, MortalEngine, environment_of, own_engine, wait_until
from tests.faults.world import World
from tests.looks import broken_invariants

pytestmark = [
    pytest.mark.engines("embedded", reason="it kills an engine of its own"),
    pytest.mark.timeout(4 * 3600 if LONG else 900),
]

KILLS = int(os.environ.get("FAULTS_KILLS", 1000 if LONG else 4))
LONGEST_PAUSE = float(os.environ.get("FAULTS_PAUSE", "2"))  # seconds between two kills
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


def test_kills_under_load_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    seed = os.environ.get("FAULTS_SEED", str(random.randrange(10**6)))
    chance = random.Random(seed)
    deeds = tmp_path / "deeds.jsonl"
    with own_engine() as (engine, table):
        environment = environment_of(engine.url, table, tmp_path)
        site = Child(GUNICORN, environment, tmp_path / "site.log")
        url = address_of(site)
        site.arguments = [*GUNICORN[:-1], url.removeprefix("http://")]
        load_arguments = ["-m", "tests.faults.load", str(deeds), seed]
        workers = [
            Child(["manage.py", "run_worker"], environment, tmp_path / f"worker-{number}.log")
            for number in range(3)
        ]
        in_browsers = environment | {"LOAD_SITE": url}
        load = Child(load_arguments, in_browsers, tmp_path / "load.log")
        try:
            killed = kill_at_random(chance, deeds, engine, workers, site, load)
            load.kill()
            finishing = Child([*load_arguments, "finish"], in_browsers, tmp_path / "load.log")
            assert finishing.process.wait(timeout=60) == 0, finishing.said()
        finally:
            for child in (*workers, site, load):
                child.kill()
        Worker().drain()
        world = World.read(deeds)
        print(f"seed {seed}: killed {killed}, {world.deeds} acknowledged deeds")
        assert world.deeds > 20, load.said()
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
    chance: random.Random,
    deeds: Path,
    engine: MortalEngine,
    workers: list[Child],
    site: Child,
    load: Child,
) -> dict[str, int]:
    """Kills one at a time and starts it again; says how often which."""
    victims = {f"worker {number}": worker for number, worker in enumerate(workers)}
    mortals: dict[str, Child | MortalEngine] = {
        **victims,
        "site": site,
        "load": load,
        "engine": engine,
    }
    killed = dict.fromkeys(mortals, 0)
    wait_until(lambda: World.read(deeds).deeds > 20, seconds=60)  # all are at work
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.3, LONGEST_PAUSE))
        name = chance.choice(list(mortals))
        assert load.process.poll() is None, load.said()
        mortals[name].kill()
        killed[name] += 1
        time.sleep(chance.uniform(0, 0.5))
        mortals[name].start()
        # Its port may have been held by a dying worker for too long. A supervisor would try again, too.
        if site.process.poll() is not None:
            site.start()
    time.sleep(2)
    return killed


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

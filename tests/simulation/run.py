"""One run: so many steps of one seed, with a look at everything after every few hundred."""

from dataclasses import dataclass, field
from hashlib import blake2b
from time import process_time
from typing import Any

import orjson

from tests.simulation import deeds
from tests.simulation.clockwork import clock
from tests.simulation.deeds.accounts import STAFF, newcomer
from tests.simulation.looking import look
from tests.simulation.world import World

BETWEEN_LOOKS = 400
FAULTS = 0.02  # of all calls in bad weather


@dataclass
class Run:
    seed: str
    steps: int
    faults: bool = True
    watched: str = ""
    played: int = 0
    looks: int = 0
    seconds: float = 0.0
    lines: list[tuple[int, str]] = field(default_factory=list)

    def play(self) -> "Run":
        """Raises `Violation`."""
        deeds.load()
        began = process_time()
        self.world = world = World(
            self.seed, said=lambda what: self.lines.append((self.played, what))
        )
        world.network.watched = self.watched
        try:
            for role in STAFF.values():
                world.begin(newcomer(world, role))
            for _ in range(12):
                world.begin(newcomer(world))
            world.settle()
            while self.played < self.steps:
                self.played += 1
                self.step()
                if self.played % BETWEEN_LOOKS == 0 or self.played == self.steps:
                    self.look()
        finally:
            self.seconds = process_time() - began
        return self

    def step(self) -> None:
        world = self.world
        if self.faults and world.weather.random() < 0.03:
            world.worsen()
        if self.faults and self.played % 50 == 1:
            world.network.faults = world.weather.choice((0.0, FAULTS, FAULTS, 5 * FAULTS))
        if deed := deeds.draw(world):
            self.lines.append((self.played, f"{deed.name} by {deed.who}"))
            world.begin(deed)
        world.scheduler.run_until(clock.now + world.chance.expovariate(8.0))

    def look(self) -> None:
        self.looks += 1
        self.world.settle()
        look(self.world)

    @property
    def hash(self) -> str:
        """Of the table, and of the history of all calls."""
        table = blake2b(digest_size=16)
        for place in sorted(self.world.engine.items):
            table.update(orjson.dumps(self.world.engine.items[place], option=orjson.OPT_SORT_KEYS))
        table.update(self.world.network.history.digest())
        return table.hexdigest()

    def told(self) -> dict[str, Any]:
        world = self.world
        return {
            "deeds": dict(sorted(world.counts.items())),
            "refused": dict(sorted(world.refusals.items())),
            "faults": dict(sorted(world.network.counted.items())),
            "calls": world.engine.calls,
            "items": len(world.engine.items),
        }

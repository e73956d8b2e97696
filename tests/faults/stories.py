"""What people do, for the crash tests: a story is played once for every point at which it may break off."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Story:
    """What someone does, and what must hold when all is done. `act` may be repeated, as people and forms do."""

    act: Callable[[], object]
    check: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Scenario:
    """`prepare` fills an empty table, which is drained before anything may crash."""

    name: str
    prepare: Callable[[], Story]
    settings: dict[str, Any]
    constants: dict[str, Any]


SCENARIOS: dict[str, Scenario] = {}

SMALL_BATCHES = {"socialsite.table.writing.BATCH_WRITE_LIMIT": 2}
# Two plans take a Query less where chance puts them into one shard, and each play needs the same calls.
ONE_DUE_SHARD = {
    "socialsite.keys.DUE_SHARDS": 1,
    "socialsite.keys.machinery.DUE_SHARDS": 1,
}


def scenario(
    constants: dict[str, Any] | None = None, **settings: Any
) -> Callable[[Callable[[], Story]], Callable[[], Story]]:
    """Registers a story, with the settings and sizes that make it take several calls."""

    def register(prepare: Callable[[], Story]) -> Callable[[], Story]:
        name = prepare.__name__
        SCENARIOS[name] = Scenario(name, prepare, settings, constants or {})
        return prepare

    return register

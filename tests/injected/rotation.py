"""Which combinations a run tries: all with FAULTS=long, else a share of them, and others each time."""

import os
import random
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

IS_LONG = os.environ.get("FAULTS") == "long"
SEED = int(os.environ.get("FAULTS_SEED") or random.randrange(1_000_000))


def share(combinations: Iterable[T], *, one_of: int, salt: str) -> list[T]:
    """All of them, or one of so many; `FAULTS_SEED` repeats a run."""
    every = list(combinations)
    if IS_LONG:
        return every
    count = -(-len(every) // one_of)
    return random.Random(f"{SEED} {salt}").sample(every, count)


def describe(salt: str, total: int, tried: int) -> str:
    return f"FAULTS_SEED={SEED} {salt}: {tried} of {total} combinations"

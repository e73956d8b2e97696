"""A worker frozen between check and send, at any call: timelines are right soon after, even if it dies on waking."""

import time
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.faults import stories_of_freezes_elsewhere  # noqa: F401 - they register themselves
from tests.faults.crash_points import LONG, SEED
from tests.faults.freezes import Waking, play
from tests.faults.stories_of_freezes import FREEZES
from tests.injected.faults import share

pytestmark = [
    pytest.mark.engines(
        "embedded", "dynamodb-local", reason="moto answers inside the hook that the freeze uses"
    ),
    pytest.mark.timeout(900 if LONG else 120),
]

SHORT_FORM_TAKES_EVERY = 6  # n-th call of a story
LEAST_FREEZES = 50
WAKINGS: tuple[Waking, ...] = ("lives", "dies")
# Each story with one of the two wakings, with the other one in another run; with both with `FAULTS=long`.
PLAYS = [(name, waking) for name in FREEZES for waking in share(WAKINGS, one_of=2, salt=name)]


@pytest.fixture(scope="module")
def frozen() -> Iterator[Counter[str]]:
    """How often a worker was frozen before which operation; enough of them, if all stories were played."""
    operations: Counter[str] = Counter()
    yield operations
    print(f"{operations.total() - operations['']} freezes: {dict(operations)}")
    if operations[""] == len(PLAYS):
        whole = len(FREEZES) * len(WAKINGS)
        assert operations.total() - operations[""] >= LEAST_FREEZES * len(PLAYS) / whole


@pytest.mark.parametrize(("name", "waking"), PLAYS)
@pytest.mark.usefixtures("engine")
def test_what_a_frozen_worker_writes_late_is_set_right(
    name: str, waking: Waking, frozen: Counter[str]
) -> None:
    begun = time.monotonic()
    step = 1 if LONG else SHORT_FORM_TAKES_EVERY
    number = 1 if LONG else 1 + (SEED + [*FREEZES].index(name) + len(waking)) % step
    wrong = []
    played = 0
    while True:
        try:
            box = play(FREEZES[name], number, waking)
            frozen[box.operation] += 1
            if not box.operation:  # fewer calls than that: the story is over
                break
        except Exception as error:  # every call is looked at, whatever the one before did
            lines = str(error).splitlines() or [type(error).__name__]
            wrong.append(f"call {number}: {' '.join(lines[:6])}")
        played += 1
        number += step
    print(f"{name}, {waking}: {played} freezes, seed {SEED}, {time.monotonic() - begun:.1f} s")
    assert not wrong, f"{len(wrong)} of {played} freezes wrong:\n" + "\n".join(wrong)

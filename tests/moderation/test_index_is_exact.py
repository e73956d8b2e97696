"""The queue holds exactly the open cases, each in its place, after whatever people and moderators did in any order.

Some 200 steps, always the same; `FAULTS=long` makes 2,000, others each time.
"""

import pytest

from tests.injected.rotation import IS_LONG
from tests.model.playing import play
from tests.moderation.machine import Moderation

RUNS = 45 if IS_LONG else 4


@pytest.mark.timeout(1800 if IS_LONG else 180)
def test_the_index_is_what_the_model_says(table: str) -> None:
    play(Moderation, table, runs=RUNS)

"""No open case is outside a list that someone with the permission can open, whatever becomes of roles and desks.

Some 200 steps, always the same; `FAULTS=long` makes 2,000, others each time.
"""

import pytest

from tests.injected.rotation import IS_LONG
from tests.model.playing import play
from tests.moderation.roles_machine import Roles

RUNS = 45 if IS_LONG else 4


@pytest.mark.timeout(1800 if IS_LONG else 180)
def test_every_open_case_is_in_a_list_that_someone_may_open(table: str) -> None:
    play(Roles, table, runs=RUNS)

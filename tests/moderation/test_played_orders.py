"""Whatever is done in whatever order, the queue holds the open cases, and each is in a list that someone can open."""

import pytest

from tests.injected.faults import IS_LONG
from tests.model.playing import play
from tests.moderation.machine import Moderation
from tests.moderation.roles_machine import Roles
from tests.moderation.storm_machine import Storm

# The queue holds exactly the open cases, each in its place, after whatever people and moderators did in any
# order.
#
# Some 200 steps, always the same; `FAULTS=long` makes 2,000, others each time.

RUNS = 45 if IS_LONG else 4


@pytest.mark.timeout(1800 if IS_LONG else 180)
def test_the_index_is_what_the_model_says(table: str) -> None:
    play(Moderation, table, runs=RUNS)


# No open case is outside a list that someone with the permission can open, whatever becomes of roles and desks.
#
# Some 200 steps, always the same; `FAULTS=long` makes 2,000, others each time.


@pytest.mark.timeout(1800 if IS_LONG else 180)
def test_every_open_case_is_in_a_list_that_someone_may_open(table: str) -> None:
    play(Roles, table, runs=RUNS)


# Waves, undone waves, legal holds, erasures, appeals and undo leave every invariant, the effects on people and posts,
# the audit log with its chain, and the figures of the year as they must be, in any order.
#
# Some 200 steps, always the same; `FAULTS=long` makes 2,000, others each time.


@pytest.mark.timeout(1800 if IS_LONG else 240)
def test_a_storm_of_waves_holds_erasures_and_appeals_leaves_everything_whole(table: str) -> None:
    play(Storm, table, runs=RUNS)

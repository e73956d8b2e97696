"""The queue holds exactly the open cases, each in its place, after whatever people and moderators did in any order.

Some 400 steps, always the same; `FAULTS=long` makes 2,000, others each time.
"""

import itertools

import pytest
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import run_state_machine_as_test

from socialsite.table.connection import client
from socialsite.table.schema import create_table
from tests.conftest import _use_table
from tests.injected.rotation import IS_LONG
from tests.moderation.machine import Moderation

STEPS_A_RUN = 50
RUNS = 45 if IS_LONG else 8


@pytest.mark.timeout(1800 if IS_LONG else 180)
def test_the_index_is_what_the_model_says(table: str) -> None:
    names = (f"{table}-{number}" for number in itertools.count())
    made: list[str] = []

    def new_table() -> None:
        while made:
            client().delete_table(TableName=made.pop())
        made.append(next(names))
        _use_table(made[0])
        create_table()

    machine = type(
        "Moderation", (Moderation,), {"new_table": staticmethod(new_table), "steps_taken": 0}
    )
    try:
        run_state_machine_as_test(
            machine,
            settings=hypothesis_settings(
                max_examples=RUNS,
                stateful_step_count=STEPS_A_RUN,
                derandomize=not IS_LONG,
                database=None,
                deadline=None,
                print_blob=True,
                phases=[Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        print(f"{machine.steps_taken} steps")
        while made:
            client().delete_table(TableName=made.pop())
        _use_table(table)

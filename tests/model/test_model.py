"""The site against a model in memory: every order of writes, worker steps, deaths and faults ends in the same place.

Some 600 steps, always the same; `FAULTS=long` makes 20,000, others each time.
"""

import itertools
import time

import pytest
from django.conf import LazySettings
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import run_state_machine_as_test

from socialsite.table.connection import client
from socialsite.table.schema import create_table
from tests.conftest import _use_table
from tests.injected.rotation import IS_LONG
from tests.model.machine import BACKFILL, Site

STEPS_A_RUN = 50
RUNS = 480 if IS_LONG else 12


@pytest.mark.timeout(7200 if IS_LONG else 180)
@pytest.mark.usefixtures("clock", "impatient")
def test_the_site_is_what_the_model_says(table: str, settings: LazySettings) -> None:
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 3, 5
    settings.PULL_ABOVE, settings.BACKFILL_POSTS = 6, BACKFILL
    names = (f"{table}-{number}" for number in itertools.count())
    made: list[str] = []

    def new_table() -> None:
        while made:
            client().delete_table(TableName=made.pop())
        made.append(next(names))
        _use_table(made[0])
        create_table()

    machine = type("Site", (Site,), {"new_table": staticmethod(new_table), "steps_taken": 0})
    began = time.monotonic()
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
        took = time.monotonic() - began
        print(f"{machine.steps_taken} steps, {machine.steps_taken / took:.0f} a second")
        while made:
            client().delete_table(TableName=made.pop())
        _use_table(table)

"""How a state machine is played: each run on an empty table of its own, as many steps as asked."""

import itertools
import shutil
import time

from django.conf import settings
from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from socialsite.table.connection import client
from socialsite.table.schema import create_table
from tests.injected.faults import IS_LONG
from tests.tables import use_table

STEPS_A_RUN = 50


def play(machine: type[RuleBasedStateMachine], table: str, *, runs: int) -> None:
    """Plays the machine; the same runs each time, unless `FAULTS=long`. Prints how many steps it took."""
    names = (f"{table}-{number}" for number in itertools.count())
    made: list[str] = []

    def new_table() -> None:
        while made:
            client().delete_table(TableName=made.pop())
        made.append(next(names))
        use_table(made[0])
        create_table()
        shutil.rmtree(settings.DATA_DIR / "photos", ignore_errors=True)  # they belong to items

    played = type(
        machine.__name__,
        (machine,),
        {"new_table": staticmethod(new_table), "steps_taken": 0},
    )
    began = time.monotonic()
    try:
        run_state_machine_as_test(
            played,
            settings=hypothesis_settings(
                max_examples=runs,
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
        print(f"{played.steps_taken} steps, {played.steps_taken / took:.0f} a second")
        while made:
            client().delete_table(TableName=made.pop())
        use_table(table)

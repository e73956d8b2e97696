"""The site against a model in memory: every order of writes, worker steps, deaths and faults ends in the same place.

Some 300 steps, always the same; `FAULTS=long` makes 20,000, others each time.
"""

import pytest
from django.conf import LazySettings

from tests.injected.faults import IS_LONG
from tests.model.machine import BACKFILL, Site
from tests.model.playing import play

RUNS = 480 if IS_LONG else 6


@pytest.mark.timeout(7200 if IS_LONG else 600)
@pytest.mark.usefixtures("clock", "impatient")
@pytest.mark.long
def test_the_site_is_what_the_model_says(table: str, settings: LazySettings) -> None:
    settings.FAN_OUT_INLINE, settings.FAN_OUT_STEP = 3, 5
    settings.PULL_ABOVE, settings.BACKFILL_POSTS = 6, BACKFILL
    play(Site, table, runs=RUNS)

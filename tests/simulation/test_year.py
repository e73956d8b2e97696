"""Every deadline is met to the minute: in the default run through a leap day and the first change of clocks; with
`FAULTS=long` through a year with six changes, in which a worker sleeps for a month.
"""

import re

import pytest

from tests.injected.faults import IS_LONG, SEED
from tests.simulation.test_simulation import simulate

DAYS = 366 if IS_LONG else 45
EVERY = {
    "a poll",
    "a post that ends",
    "a message",
    "a mute",
    "a suspension",
    "a planned post",
    "a daily letter",
}
LATER = {"the grace of a closed account", "a former handle", "a sign-in"}  # after 14 and 90 days


@pytest.mark.timeout(3600 if IS_LONG else 900)
@pytest.mark.engines("embedded", reason="the engine is simulated")
def test_what_ends_ends_in_its_minute_and_no_sooner():
    told = simulate("--year", "--seed", str(SEED), "--steps", str(DAYS))
    met = set(re.findall(r"'deadline: ([^']+)'", told))
    assert met >= EVERY | (LATER if IS_LONG else set())

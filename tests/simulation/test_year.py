"""Every deadline is met to the minute through a year with a leap day and six changes of clocks, while a worker sleeps
for a month. The usual runs play its first 22 days, with the leap day and the first change of clocks; `FAULTS=long`
plays the year, of a drawn seed, some six minutes of a processor.
"""

import re

import pytest

from tests.injected.faults import IS_LONG, SEED
from tests.simulation.test_simulation import simulate

WITHIN_WEEKS = {
    "a poll",
    "a post that ends",
    "a message",
    "a mute",
    "a suspension",
    "a planned post",
    "a daily letter",
    "the grace of a closed account",
}
AFTER_90_DAYS = {"a former handle", "a sign-in"}


@pytest.mark.timeout(3600)
@pytest.mark.engines("embedded", reason="the engine is simulated")
def test_what_ends_ends_in_its_minute_and_no_sooner():
    seed, days = (str(SEED), "366") if IS_LONG else ("2", "22")
    told = simulate("--year", "--seed", seed, "--steps", days)
    met = set(re.findall(r"'deadline: ([^']+)'", told))
    assert met >= (WITHIN_WEEKS | AFTER_90_DAYS if IS_LONG else WITHIN_WEEKS)

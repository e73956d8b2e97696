"""Every deadline is met to the minute through a year with a leap day and six changes of clocks, while a worker sleeps
for a month. With `FAULTS=long` alone (docs/simulation.md, "What is open").
"""

import re

import pytest

from tests.injected.faults import IS_LONG, SEED
from tests.simulation.test_simulation import simulate

EVERY = {
    "a poll",
    "a post that ends",
    "a message",
    "a mute",
    "a suspension",
    "a planned post",
    "a daily letter",
    "the grace of a closed account",
    "a former handle",
    "a sign-in",
}


@pytest.mark.skipif(not IS_LONG, reason="it is not judged yet what it meets")
@pytest.mark.timeout(3600)
@pytest.mark.engines("embedded", reason="the engine is simulated")
def test_what_ends_ends_in_its_minute_and_no_sooner():
    told = simulate("--year", "--seed", str(SEED), "--steps", "366")
    met = set(re.findall(r"'deadline: ([^']+)'", told))
    assert met >= EVERY

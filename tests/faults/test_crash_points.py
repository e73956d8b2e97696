"""Whatever dies before or after whichever call to the engine: nothing is lost, nothing counts twice."""

import time
from collections.abc import Iterator

import pytest

from tests.faults import (  # noqa: F401 - they register themselves
    stories_of_composing,
    stories_of_edits,
    stories_of_expiry,
    stories_of_messages,
    stories_of_moderation,
    stories_of_notifications,
    stories_of_photos,
    stories_of_polls,
    stories_of_posts,
    stories_of_privacy,
    stories_of_relations,
    stories_of_reposts,
    stories_of_tags,
    stories_of_timelines,
    stories_of_uploads,
)
from tests.faults.crash_points import HOSTS, LONG, SEED, SHORT_FORM_TAKES_EVERY, play, points_of
from tests.faults.stories import SCENARIOS
from tests.injected.faults import share

pytestmark = [
    pytest.mark.engines(
        "embedded", "dynamodb-local", reason="moto answers inside the hook that the crash uses"
    ),
    pytest.mark.timeout(1200 if LONG else 120),
]

LEAST_POINTS = 800  # of all scenarios and hosts: that the enumeration does not become empty unseen
# Each scenario on one of the hosts, on the other one in another run; on both with `FAULTS=long`.
PLAYS = [(name, host) for name in SCENARIOS for host in share(HOSTS, one_of=len(HOSTS), salt=name)]


@pytest.fixture(scope="module", autouse=True)
def played() -> Iterator[list[int]]:
    """How many points each scenario has; together as many as there should be, if all were played."""
    points: list[int] = []
    yield points
    if len(points) == len(PLAYS):
        which = "all" if LONG else f"every {SHORT_FORM_TAKES_EVERY}th"
        print(f"{sum(points)} crash points, {which} played")
        assert sum(points) >= LEAST_POINTS * len(PLAYS) / (len(SCENARIOS) * len(HOSTS))


@pytest.mark.parametrize(("name", "host"), PLAYS)
@pytest.mark.usefixtures("engine")
def test_a_crash_at_any_call_corrupts_nothing(name: str, host: str, played: list[int]) -> None:
    scenario = SCENARIOS[name]
    begun = time.monotonic()
    calls = play(scenario, host, None).calls
    points = points_of(calls, [*SCENARIOS].index(name))
    corrupt = []
    for point in points:
        try:
            fuse = play(scenario, host, point)
            assert fuse.is_blown, "the scenario took fewer calls than before"
        except Exception as error:  # every point is looked at, whatever the one before did
            lines = str(error).splitlines() or [type(error).__name__]
            corrupt.append(f"{point.moment} call {point.number}: {' '.join(lines[:6])}")
    played.append(2 * calls)
    took = time.monotonic() - begun
    print(f"{name} on {host}: {2 * calls} points, {len(points)} played, seed {SEED}, {took:.1f} s")
    assert not corrupt, f"{len(corrupt)} of {len(points)} points corrupt:\n" + "\n".join(corrupt)

"""What each behaviour touches is as it was measured: docs/scale.md replays it for ten million people."""

from dataclasses import replace

import pytest

from benchmarks.scale.footprints import Footprint, footprints, keep
from tests.benchmarks.behaviours import BEHAVIOURS, Stage, footprint_of
from tests.lens.concepts.test_measured import WRITES

pytestmark = pytest.mark.engines("embedded", reason="the others report other capacity")


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_a_behaviour_touches_what_was_measured(name, alice, bob, admin):
    now = footprint_of(name, Stage(alice, bob, admin))
    if WRITES:
        known = footprints()
        keep(known | {name: with_earlier_time(now, known.get(name))})
        footprints.cache_clear()
    kept = footprints()[name]
    assert [*now.rows] == [*kept.rows]
    assert replace(now, rows=(), ms=0) == replace(kept, rows=(), ms=0)


def with_earlier_time(now: Footprint, earlier: Footprint | None) -> Footprint:
    """The time is of the machine that measured, and stays as long as it is about right."""
    is_right = earlier is not None and earlier.ms / 3 <= now.ms <= earlier.ms * 3
    return replace(now, ms=earlier.ms) if earlier and is_right else now

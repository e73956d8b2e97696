"""A figure is held by its limit alone, and a run keeps its figures for the one table of all."""

import io

import pytest
from rich.console import Console

from benchmarks.bounds import KEPT_IN, Bound, conclude, kept_bounds


@pytest.mark.parametrize(
    ("bound", "held", "verdict"),
    [
        (Bound("pages", 1.2, "≥", must=1.0, goal=1.5), True, "[green]held[/], not the goal"),
        (Bound("pages", 1.6, "≥", must=1.0, goal=1.5), True, "[green]held[/]"),
        (Bound("pages", 0.9, "≥", must=1.0, goal=1.5), False, "[red]missed[/]"),
        (Bound("data", 1.5, "≤", goal=1.4), True, "[yellow]not the goal[/]"),
        (Bound("data", 1.4, "≤", goal=1.4), True, "[green]held[/]"),
        (Bound("told", 7, "≤"), True, ""),
    ],
)
def test_a_goal_is_told_and_a_limit_is_held(bound, held, verdict):
    assert (bound.held, bound.verdict) == (held, verdict)


def test_a_run_fails_by_a_missed_limit_and_keeps_what_it_found(tmp_path, monkeypatch):
    console, file = Console(file=io.StringIO()), tmp_path / "kept"
    monkeypatch.setenv(KEPT_IN, str(file))
    well = Bound("data", 1.3, "≤", must=2, goal=1.4, rounds="1.2 to 1.4")
    missed = Bound("page", 3, "≤", must=2)
    assert conclude(console, [well]) == 0
    assert conclude(console, [missed]) == 1
    assert kept_bounds(file) == [well, missed]

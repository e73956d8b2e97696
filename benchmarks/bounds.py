"""What must hold of a figure, and the table that says whether it did."""

import json
import os
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table

KEPT_IN = "BENCHMARK_BOUNDS"  # names a file in the environment


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure that must stay on its side of `must`, if there is one. The better `goal` is told, not held. `rounds`
    says how far the rounds of the run lie apart."""

    name: str
    value: float
    side: Literal["≤", "≥"]
    must: float | None = None
    goal: float | None = None
    rounds: str = ""

    @property
    def held(self) -> bool:
        return self.must is None or self._reaches(self.must)

    @property
    def verdict(self) -> str:
        if self.must is None and self.goal is None:
            return ""
        if not self.held:
            return "[red]missed[/]"
        if self.goal is None or self._reaches(self.goal):
            return "[green]held[/]"
        return (
            "[green]held[/], not the goal" if self.must is not None else "[yellow]not the goal[/]"
        )

    def _reaches(self, figure: float) -> bool:
        return self.value <= figure if self.side == "≤" else self.value >= figure


def conclude(console: Console, bounds: Sequence[Bound], *tables: Table) -> int:
    """Prints what a run found, keeps it for `python -m benchmarks`, and returns the exit status: 1 if a limit is
    missed."""
    console.print(bound_table(bounds), *tables, sep="\n")
    if kept := os.environ.get(KEPT_IN):
        with Path(kept).open("a") as file:
            file.writelines(json.dumps(asdict(bound)) + "\n" for bound in bounds)
    return 0 if all(bound.held for bound in bounds) else 1


def kept_bounds(file: Path) -> list[Bound]:
    """Returns what `conclude` kept there."""
    return [Bound(**json.loads(line)) for line in file.read_text().splitlines()]


def bound_table(bounds: Sequence[Bound], *, title: str = "Limits and goals") -> Table:
    made = Table("what", "measured", "rounds", "must be", "goal", "", title=title)
    for bound in bounds:
        made.add_row(
            bound.name,
            f"{bound.value:.3g}",
            bound.rounds,
            "" if bound.must is None else f"{bound.side} {bound.must:g}",
            "" if bound.goal is None else f"{bound.side} {bound.goal:g}",
            bound.verdict,
        )
    return made


def percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def spread(values: Sequence[float]) -> str:
    """The lowest and the highest of the rounds."""
    return f"{min(values):.2f} to {max(values):.2f}"

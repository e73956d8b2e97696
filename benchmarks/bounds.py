"""What must hold of a figure, and the table that says whether it did."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.table import Table


@dataclass(frozen=True, slots=True)
class Bound:
    """A figure that must stay on its side of `must`, if there is one; the better `aim` is told, not held."""

    name: str
    value: float
    side: Literal["≤", "≥"]
    must: float | None = None
    aim: float | None = None
    note: str = ""

    @property
    def held(self) -> bool:
        return self.must is None or self._reaches(self.must)

    @property
    def verdict(self) -> str:
        if not self.held:
            return "[red]missed[/]"
        if self.aim is None or self._reaches(self.aim):
            return "[green]held[/]"
        return "[green]held[/], not the aim" if self.must is not None else "[yellow]not the aim[/]"

    def _reaches(self, figure: float) -> bool:
        return self.value <= figure if self.side == "≤" else self.value >= figure


def bound_table(bounds: Sequence[Bound]) -> Table:
    made = Table("what", "measured", "rounds", "must be", "aim", "", title="Limits")
    for bound in bounds:
        made.add_row(
            bound.name,
            f"{bound.value:.2f}",
            bound.note,
            "" if bound.must is None else f"{bound.side} {bound.must:g}",
            "" if bound.aim is None else f"{bound.side} {bound.aim:g}",
            bound.verdict,
        )
    return made


def percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def spread(values: Sequence[float]) -> str:
    """The lowest and the highest of the rounds."""
    return f"{min(values):.2f} to {max(values):.2f}"

"""Works out docs/scale.md: `python -m benchmarks.scale` writes every number of its tables anew from its formula.

A row of three kinds is worked on, by its first cell: a name with its value for each size (assumed or measured), a name
with a formula of the names above it, and the options of `benchmarks.stream_simulation`.
"""

import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.stream_simulation import freshness_of, plans_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "scale.md"
SIZES = 2  # columns of figures
DIGITS = 3
NAME = re.compile(r"`(\w+)`")
OPTIONS = re.compile(r"`(--[^`]+)`")
FORMULA = re.compile(r"`([^`]+)`")
KNOWN: dict[str, Any] = {"ceil": math.ceil, "max": max}


def main() -> None:
    PAGE.write_text(worked_out(PAGE.read_text()))


def worked_out(page: str) -> str:
    """Returns the page with all its computed figures as they must be."""
    values: list[dict[str, float]] = [{} for _ in range(SIZES)]
    return "".join(_line(line, values) for line in page.splitlines(keepends=True))


def values_of(page: str) -> list[dict[str, float]]:
    """Returns what each name stands for, once for each size."""
    values: list[dict[str, float]] = [{} for _ in range(SIZES)]
    for line in page.splitlines(keepends=True):
        _line(line, values)
    return values


def _line(line: str, values: list[dict[str, float]]) -> str:
    if not line.startswith("| `"):
        return line
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if options := OPTIONS.fullmatch(cells[0]):
        (plan,) = plans_of(options[1].split())
        return _row([cells[0], *(f"{seconds:.2f}" for seconds in freshness_of(plan))])
    name = NAME.fullmatch(cells[0])
    if name is None:
        raise ValueError(f"neither a name nor options: {cells[0]}")
    if formula := FORMULA.fullmatch(cells[1]):
        for of_size in values:
            # Of our own page, with two functions and nothing else at hand.
            of_size[name[1]] = float(eval(formula[1], {"__builtins__": {}}, KNOWN | of_size))
        figures = [figure(of_size[name[1]]) for of_size in values]
        return _row([cells[0], cells[1], *figures, *cells[2 + SIZES :]])
    for of_size, cell in zip(values, cells[1 : 1 + SIZES], strict=True):
        of_size[name[1]] = float(cell.replace(",", ""))
    return line


def figure(value: float) -> str:
    """Returns a number with three digits that count, such as `1,230,000` or `0.0457`."""
    if not value:
        return "0"
    places = DIGITS - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    return f"{rounded:,.{places}f}".rstrip("0").rstrip(".") if places > 0 else f"{rounded:,.0f}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    main()

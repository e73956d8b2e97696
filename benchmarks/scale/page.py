"""The tables of docs/scale.md that stand beside their formulas: every number is worked out anew.

A row of three kinds is worked on, by its first cell: a name with its value for each size (assumed or measured), a name
with a formula of the names above it, and the options of `benchmarks.stream_simulation`. What the whole bill is, is made
of `costs/bill.py` and stands between two marks.
"""

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from django.utils.translation import override

from benchmarks.stream_simulation import freshness_of, plans_of
from costs import bill, formulas
from socialsite.prices import FIRST, Prices, prices_of, regions

PAGE = Path(__file__).resolve().parents[2] / "docs" / "scale.md"
SIZES = 2  # columns of figures
BILL_SIZES = {1_000: "1,000", 100_000: "100,000", 10_000_000: "10 million"}  # people
BILL = "<!-- The bill, made from costs/bill.py and socialsite/prices.toml -->\n"
BILL_ENDS = "<!-- End of the bill -->\n"
REPLAY = "<!-- Ten million people, made by benchmarks/scale -->\n"  # `document.py` makes it
REPLAY_ENDS = "<!-- End of ten million people -->\n"
DIGITS = 3
NAME = re.compile(r"`(\w+)`")
OPTIONS = re.compile(r"`(--[^`]+)`")
FORMULA = re.compile(r"`([^`]+)`")


def worked_out(page: str) -> str:
    """Returns the page with all its computed figures as they must be."""
    head, mark, rest = page.partition(BILL)
    _old, end, tail = rest.partition(BILL_ENDS)
    with override("en"):
        made = "\n" + _bill(head) + "\n" if mark else ""
    values: list[dict[str, float]] = [{} for _ in range(SIZES)]
    between, replayed, rest = tail.partition(REPLAY)
    replay, replay_ends, last = rest.partition(REPLAY_ENDS)
    head, between, last = (
        "".join(_line(line, values) for line in part.splitlines(keepends=True))
        for part in (head, between, last)
    )
    return f"{head}{mark}{made}{end}{between}{replayed}{replay}{replay_ends}{last}"


def values_of(page: str) -> list[dict[str, float]]:
    """Returns what each name stands for above the bill, once for each size."""
    values: list[dict[str, float]] = [{} for _ in range(SIZES)]
    for line in page.partition(BILL)[0].splitlines(keepends=True):
        _line(line, values)
    return values


def bills_of(page: str, prices: Prices) -> list[bill.Bill]:
    """Returns a bill for each of `BILL_SIZES` with the page's habits."""
    habits = [_values_for(people, page.partition(BILL)[0]) for people in BILL_SIZES]
    return [bill.bill_of(one, prices.dollars) for one in habits]


def _values_for(people: int, page: str) -> dict[str, float]:
    """What each name stands for with so many people, and all else as in the first column."""
    values: dict[str, float] = {}
    for line in page.splitlines():
        if not line.startswith("| `") or OPTIONS.match(line[2:]):
            continue
        name, first = [cell.strip().strip("`") for cell in line.split("|")[1:3]]
        if FORMULA.search(line.split("|")[2]):
            values[name] = formulas.worked_out(first, values)
        else:
            values[name] = people if name == "people" else float(first.replace(",", ""))
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
            of_size[name[1]] = formulas.worked_out(formula[1], of_size)
        figures = [figure(of_size[name[1]]) for of_size in values]
        return _row([cells[0], cells[1], *figures, *cells[2 + SIZES :]])
    for of_size, cell in zip(values, cells[1 : 1 + SIZES], strict=True):
        of_size[name[1]] = float(cell.replace(",", ""))
    return line


# The whole bill


def _bill(page: str) -> str:
    by_region = {region: bills_of(page, prices_of(region)) for region in regions()}
    bills = by_region[FIRST]
    sizes = list(BILL_SIZES.values())
    return "\n".join(
        [
            table(
                ["", *(f"{size} people" for size in sizes)],
                [
                    *(_figures(line, bills) for line in (*bill.LINES, bill.SUM, bill.EACH)),
                    *(
                        _figures(bill.SUM, of, label=f"Together, in {region}")
                        for region, of in by_region.items()
                        if region != FIRST
                    ),
                    *(_figures(line, bills) for line in bill.SMALL),
                ],
            ),
            "How each is worked out:\n",
            table(
                ["figure", "formula"],
                [
                    [f"`{line.name}`: {line.label}", f"`{line.formula}`"]
                    for line in (*bill.QUANTITIES, *bill.LINES, bill.EACH, *bill.SMALL[::-1])
                ],
            ),
            "What nobody counted on a real site, or only on another machine:\n",
            table(
                ["name", "value", "what it is"],
                [[f"`{one.name}`", f"{one.value:,}", str(one.what)] for one in bill.ASSUMED],
            ),
        ]
    )


def _figures(line: bill.Line, bills: Sequence[bill.Bill], label: str = "") -> list[str]:
    amounts = [one.of(line) for one in bills]
    return [
        label or str(line.label),
        *("–" if amount is None else figure(amount) for amount in amounts),
    ]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Returns a table as Markdown."""
    return _row(head) + _row(["---"] * len(head)) + "".join(map(_row, rows))


def figure(value: float) -> str:
    """Returns a number with three digits that count, such as `1,230,000` or `0.0457`."""
    if not value:
        return "0"
    places = DIGITS - 1 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    return f"{rounded:,.{places}f}".rstrip("0").rstrip(".") if places > 0 else f"{rounded:,.0f}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"

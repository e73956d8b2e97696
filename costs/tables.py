"""The page's tables as CSV: the same figures, unrounded, with a point for decimals and English heads."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from costs.features import feature_of
from costs.forecast import Measured, Month
from costs.prices import storage_price
from costs.report import Report, Total
from costs.stored import Stored

Cell = str | int | float
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a text begins that spreadsheets would calculate
UNITS = ("samples", "times", "read_units", "write_units", "usd")


@dataclass(frozen=True, slots=True)
class Figures:
    """All that the page shows."""

    report: Report
    stored: Stored | None
    measured: Measured | None
    months: Sequence[Month]


def csv_of(table: str, figures: Figures) -> str:
    """Returns a table of `TABLES` as CSV."""
    head, rows = TABLES[table]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([[_safe(cell) for cell in row] for row in rows(figures)])
    return text.getvalue()


def _safe(cell: Cell) -> Cell:
    """A text that a spreadsheet would calculate gets an apostrophe before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell


def _units(total: Total) -> list[Cell]:
    return [total.samples, total.times, total.reads, total.writes, total.dollars]


def _spenders(figures: Figures) -> Iterable[list[Cell]]:
    for (kind, name), total in figures.report.spenders.items():
        yield [kind, name, str(feature_of(name)), *_units(total)]


def _features(figures: Figures) -> Iterable[list[Cell]]:
    for feature, total in figures.report.features.items():
        yield [str(feature), *_units(total)]


def _days(figures: Figures) -> Iterable[list[Cell]]:
    for day in figures.report.days:
        each = day.dollars_a_person
        yield [day.day.isoformat(), day.active, *_units(day.total), "" if each is None else each]


def _stored(figures: Figures) -> Iterable[list[Cell]]:
    for one in figures.stored.types if figures.stored else ():
        yield [one.name, one.items, one.size, one.in_indexes, storage_price(one.total)]


def _forecast(figures: Figures) -> Iterable[list[Cell]]:
    for month in figures.months:
        yield [
            month.people,
            month.active,
            month.reads,
            month.writes,
            month.size,
            month.units_dollars,
            month.storage_dollars,
            month.dollars,
        ]


Rows = Callable[[Figures], Iterable[list[Cell]]]
TABLES: Mapping[str, tuple[Sequence[str], Rows]] = {
    "spenders": (("kind", "name", "feature", *UNITS), _spenders),
    "features": (("feature", *UNITS), _features),
    "days": (("day", "active_people", *UNITS, "usd_per_active_person"), _days),
    "stored": (("type", "items", "bytes", "bytes_in_indexes", "usd_per_month"), _stored),
    "forecast": (
        ("people", "active_a_day", "read_units_a_month", "write_units_a_month", "bytes", "usd_units", "usd_storage",
         "usd_a_month"),
        _forecast,
    ),
}  # fmt: skip

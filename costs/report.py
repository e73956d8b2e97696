"""The report that the page shows: sums, forecast, plots and tables."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil, floor, log10
from typing import Any, TypeVar

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from costs.bill import ALL, Bill, bill_before, bill_of, prices_here
from costs.prices import GB, Window, price, storage_price
from costs.spent import FIXED, Feature, Spent, feature_of, list_spent
from costs.stored import Stored, get_stored, list_active

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of some spenders. `samples` is how often they were measured, `times` how often they ran."""

    samples: int = 0
    times: int = 0
    reads: float = 0.0
    writes: float = 0.0

    @property
    def dollars(self) -> float:
        return price(reads=self.reads, writes=self.writes)

    @property
    def reads_each(self) -> float:
        return self.reads / self.times if self.times else 0

    @property
    def writes_each(self) -> float:
        return self.writes / self.times if self.times else 0


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    active: int
    total: Total

    @property
    def dollars_a_person(self) -> float | None:
        return self.total.dollars / self.active if self.active else None


@dataclass(frozen=True, slots=True)
class Report:
    """`spenders` by kind and name and `features` by feature, the dearest first. `fixed` is what runs with or without
    people, `fan_out` what grows with followers; `total` has both."""

    days: Sequence[Day]
    spenders: Mapping[tuple[str, str], Total]
    features: Mapping[Feature, Total]
    total: Total
    fixed: Total
    fan_out: Total

    @property
    def active_days(self) -> int:
        """How many people were here on each day, added up."""
        return sum(day.active for day in self.days)

    @property
    def dollars_a_person(self) -> float | None:
        """For each active person and day."""
        return self.total.dollars / self.active_days if self.active_days else None

    @property
    def measured_days(self) -> int:
        return sum(day.total.times > 0 for day in self.days)


def make_report(window: Window) -> Report:
    """Reads a window: as `list_spent` and `list_active`."""
    spent, active = list_spent(window), list_active(window)
    by_day = _by(spent, lambda one: one.day)
    features = _by(spent, lambda one: feature_of(one.name))
    return Report(
        days=[
            Day(day, active.get(day.isoformat(), 0), by_day.get(day.isoformat(), Total()))
            for day in window.dates
        ],
        spenders=_by(spent, lambda one: (one.kind, one.name)),
        features=features,
        total=_sum(features.values()),
        fixed=_sum(total for feature, total in features.items() if feature in FIXED),
        fan_out=features.get(Feature.FAN_OUT, Total()),
    )


def _by(spent: Sequence[Spent], key_of: Callable[[Spent], K]) -> dict[K, Total]:
    groups: dict[K, list[Spent]] = {}
    for one in spent:
        groups.setdefault(key_of(one), []).append(one)
    totals = [(key, _sum(group)) for key, group in groups.items()]
    return dict(sorted(totals, key=lambda one: (-one[1].dollars, str(one[0]))))


def _sum(spent: Iterable[Spent | Total]) -> Total:
    found = list(spent)
    return Total(
        samples=sum(one.samples for one in found),
        times=sum(one.times for one in found),
        reads=sum(one.reads for one in found),
        writes=sum(one.writes for one in found),
    )


# What a month would cost with other numbers of people, from what this site measured.
#
#     units = days × (people × active share × (own + followers × fan-out) + fixed)
#     bytes = people × bytes a person
#
# `own` and `fan-out` are units a day of an active person, `fixed` is what runs without people. It stays a
# straight line: what grows faster, as fan-outs do with followers, is for the factor `followers` to say.

DAYS = 30  # of a month
PEOPLE = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True, slots=True)
class Units:
    reads: float
    writes: float


@dataclass(frozen=True, slots=True)
class Measured:
    """`own` and `fan_out` are for an active person and day, `fixed` for a day. `size` is bytes for each person that has
    an account, 0 before they were counted."""

    own: Units
    fan_out: Units
    fixed: Units
    size: float


@dataclass(frozen=True, slots=True)
class Month:
    """A month with so many people, in units, bytes and dollars."""

    people: int
    active: float
    reads: float
    writes: float
    size: float

    @property
    def units_dollars(self) -> float:
        return price(reads=self.reads, writes=self.writes)

    @property
    def storage_dollars(self) -> float:
        return storage_price(self.size)

    @property
    def dollars(self) -> float:
        return self.units_dollars + self.storage_dollars

    @property
    def dollars_a_person(self) -> float:
        return self.dollars / self.people

    @property
    def bill(self) -> Bill:
        """The whole bill, of which the above are the table's lines."""
        given = {
            "people": self.people,
            "active_people": self.active,
            "reads": self.reads / DAYS,
            "writes": self.writes / DAYS,
            "stored_gb": self.size / GB,
        }
        return bill_of(given, prices_here())


def measured_by(report: Report, stored: Stored | None) -> Measured | None:
    """Returns what the forecast needs, None if nobody was here in the window."""
    active, days = report.active_days, report.measured_days
    if not active or not days:
        return None
    total, fixed, fan_out = report.total, report.fixed, report.fan_out
    return Measured(
        own=Units(
            (total.reads - fixed.reads - fan_out.reads) / active,
            (total.writes - fixed.writes - fan_out.writes) / active,
        ),
        fan_out=Units(fan_out.reads / active, fan_out.writes / active),
        fixed=Units(fixed.reads / days, fixed.writes / days),
        size=stored.total / stored.people if stored and stored.people else 0,
    )


def forecast(
    measured: Measured,
    *,
    active_share: float,
    followers: float,
    people: Sequence[int] = PEOPLE,
) -> list[Month]:
    """Returns a month for each number of people. `followers` is how many times as many followers a person has as
    now."""
    return [_month(measured, number, active_share, followers) for number in people]


def _month(measured: Measured, people: int, active_share: float, followers: float) -> Month:
    active = people * active_share
    own, fan_out, fixed = measured.own, measured.fan_out, measured.fixed
    return Month(
        people=people,
        active=active,
        reads=DAYS * (active * (own.reads + followers * fan_out.reads) + fixed.reads),
        writes=DAYS * (active * (own.writes + followers * fan_out.writes) + fixed.writes),
        size=people * measured.size,
    )


# The page's plots as SVG, drawn by the server. Colours come from its style sheet, so they suit light, dark and
# print.
#
# Each has a title for screen readers, and the page shows the same numbers in a table.

WIDTH, HEIGHT = 360, 90
GAP = 0.24  # of a bar's share of the width
BASE = 1  # the height of an empty bar, so that each day is visible
LEFT, BOTTOM, MARGIN = 58, 22, 10  # around the lines of the forecast
GROWTH_HEIGHT = 220


def day_bars(values: Sequence[tuple[float, float]], *, title: str) -> SafeString:
    """Returns a bar for each day: what reads cost below, what writes cost on top of it."""
    most = max((below + above for below, above in values), default=0) or 1
    step = WIDTH / max(len(values), 1)
    return format_html(
        '<svg class="cost-days" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img">'
        "<title>{}</title>\n{}</svg>",
        WIDTH,
        HEIGHT,
        title,
        format_html_join("\n", "{}", ([_bar(n, one, most, step)] for n, one in enumerate(values))),
    )


def share_bar(share: float) -> SafeString:
    """Returns a bar as long as a share of all. It says nothing that does not stand beside it."""
    return format_html(
        '<svg class="cost-share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="cost-track" width="100" height="8"/><rect width="{}" height="8"/></svg>',
        f"{100 * min(max(share, 0), 1):.2f}",
    )


def growth_lines(
    points: Sequence[tuple[float, float, str]], *, title: str, amounts: Sequence[tuple[float, str]]
) -> SafeString:
    """Returns a line through points of (people, dollars, label), both on logarithmic scales. `amounts` are the lines of
    the dollars, with their labels."""
    low, high = log10(amounts[0][0]), log10(amounts[-1][0])
    first, last = log10(points[0][0]), log10(points[-1][0])
    right, top, foot = WIDTH - MARGIN * 3, MARGIN, GROWTH_HEIGHT - BOTTOM

    def x_of(people: float) -> str:
        return f"{LEFT + MARGIN + (log10(people) - first) / (last - first) * (right - LEFT - MARGIN):.1f}"

    def y_of(dollars: float) -> str:
        return f"{foot - (log10(dollars) - low) / (high - low) * (foot - top):.1f}"

    grid = format_html_join(
        "\n",
        '<line x1="{}" x2="{}" y1="{}" y2="{}"/><text x="{}" y="{}" dy="4" text-anchor="end">{}</text>',
        (
            (LEFT, WIDTH, y_of(amount), y_of(amount), LEFT - 6, y_of(amount), label)
            for amount, label in amounts
        ),
    )
    dots = format_html_join(
        "\n",
        '<circle cx="{}" cy="{}" r="4"/><text x="{}" y="{}" text-anchor="middle">{}</text>',
        (
            (x_of(people), y_of(dollars), x_of(people), GROWTH_HEIGHT - 5, label)
            for people, dollars, label in points
        ),
    )
    line = " ".join(f"{x_of(people)},{y_of(dollars)}" for people, dollars, _ in points)
    return format_html(
        '<svg class="cost-growth" viewBox="0 0 {} {}" role="img"><title>{}</title>\n<g class="cost-grid">{}</g>\n'
        '<polyline points="{}" fill="none"/>\n{}</svg>',
        WIDTH,
        GROWTH_HEIGHT,
        title,
        grid,
        line,
        dots,
    )


def decades_around(values: Sequence[float]) -> list[float]:
    """Returns the powers of ten from just below the least to just above the greatest value, every second one if they
    are many."""
    low, high = (
        floor(log10(min(values))),
        max(ceil(log10(max(values))), floor(log10(min(values))) + 1),
    )
    step = 1 if high - low <= 5 else 2
    return [10.0**power for power in range(low, high + step, step)]


def _bar(number: int, value: tuple[float, float], most: float, step: float) -> SafeString:
    left, width = (number + GAP / 2) * step, step * (1 - GAP)
    below, above = ((HEIGHT - BASE) * max(part, 0) / most for part in value)
    below += BASE
    return format_html(
        '<rect class="cost-reads" x="{x}" y="{y}" width="{w}" height="{h}"/>'
        '<rect class="cost-writes" x="{x}" y="{y2}" width="{w}" height="{h2}"/>',
        x=f"{left:.2f}",
        w=f"{width:.2f}",
        y=f"{HEIGHT - below:.2f}",
        h=f"{below:.2f}",
        y2=f"{HEIGHT - below - above:.2f}",
        h2=f"{above:.2f}",
    )


Cell = str | int | float
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a text begins that spreadsheets would calculate
UNITS = ("samples", "times", "read_units", "write_units", "usd")


@dataclass(frozen=True, slots=True)
class Figures:
    """All that the page shows. `bills` are those of `months`, or of assumed habits where there are none."""

    report: Report
    stored: Stored | None
    measured: Measured | None
    months: Sequence[Month]
    bills: Sequence[Bill]


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


def _bill(figures: Figures) -> Iterable[list[Cell]]:
    for line in ALL:
        amounts = [one.of(line) for one in figures.bills]
        yield [line.name, line.formula, *("" if one is None else one for one in amounts)]


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
    "bill": (("figure", "formula", *(f"people_{number}" for number in PEOPLE)), _bill),
}  # fmt: skip


def read_figures(asked: Mapping[str, Any]) -> Figures:
    """Reads what `CostForm` asks for: as `make_report` and `get_stored`."""
    report, stored = make_report(Window.until_today(asked["days"])), get_stored()
    measured = measured_by(report, stored)
    active_share, followers = asked["active"] / 100, asked["followers"]
    if measured is None:
        prices = prices_here()
        before = [bill_before(n, active_share=active_share, prices=prices) for n in PEOPLE]
        return Figures(report, stored, None, [], before)
    months = forecast(measured, active_share=active_share, followers=followers)
    return Figures(report, stored, measured, months, [month.bill for month in months])

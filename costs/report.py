"""What was spent in a window of days, summed up in the ways that the page shows."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from costs.active import list_active
from costs.features import FIXED, Feature, feature_of
from costs.prices import price
from costs.spent import Spent, list_spent
from costs.window import Window

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

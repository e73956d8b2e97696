"""What a month would cost with other numbers of people, from what this site measured.

    units = days × (people × active share × (own + followers × fan-out) + fixed)
    bytes = people × bytes a person

`own` and `fan-out` are units a day of an active person, `fixed` is what runs without people. It stays a straight line:
what grows faster, as fan-outs do with followers, is for the factor `followers` to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from costs.prices import price, storage_price
from costs.report import Report
from costs.stored import Stored

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

"""The days that the page looks back on."""

from dataclasses import dataclass
from datetime import date, timedelta

from socialsite.clock import utc_now
from socialsite.table import keys


@dataclass(frozen=True, slots=True)
class Window:
    """`days` days in UTC, up to and with `last`."""

    last: date
    days: int

    @classmethod
    def until_today(cls, days: int) -> "Window":
        return cls(utc_now().date(), days)

    @property
    def dates(self) -> list[date]:
        return [self.last - timedelta(days=before) for before in reversed(range(self.days))]

    @property
    def months(self) -> list[str]:
        return sorted({day.isoformat()[:7] for day in self.dates})

    @property
    def bounds(self) -> tuple[str, str]:
        """The bounds of sort keys that begin with one of these days."""
        return keys.days_between(self.dates[0], self.last)

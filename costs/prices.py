"""What a unit, a byte and a call cost, and how long a window is looked at."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.conf import settings
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from socialsite import keys
from socialsite.clock import utc_now


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


MILLION = 1_000_000
GB = 10**9
SIGNIFICANT_DIGITS = 4
CENTS_BELOW = 1000


def price(*, reads: float, writes: float) -> float:
    """Returns the price of these units in dollars, on demand."""
    return (reads * settings.READ_PRICE + writes * settings.WRITE_PRICE) / MILLION


def storage_price(size: float) -> float:
    """Returns the price of keeping so many bytes for a month, in dollars."""
    return size / GB * settings.STORAGE_PRICE


def money(dollars: float) -> str:
    """Returns an amount with four significant digits, as the reader's language writes it."""
    return _("$%(amount)s") % {"amount": digits(dollars)}


def rounded(dollars: float) -> str:
    """Returns an amount to the cent, from a thousand dollars on with four significant digits."""
    if dollars >= CENTS_BELOW:
        return money(dollars)
    amount = number_format(round(dollars, 2), decimal_pos=2, use_l10n=True)
    return _("$%(amount)s") % {"amount": amount}


def digits(number: float) -> str:
    """Returns a number with four significant digits and no exponent, as the reader's language writes it."""
    rounded = Decimal(f"{number:.{SIGNIFICANT_DIGITS}g}")
    if not rounded:
        return "0"
    return number_format(
        rounded, decimal_pos=_decimals(rounded), use_l10n=True, force_grouping=True
    )


def units(number: float) -> str:
    """Returns a number of units with at most four significant digits: 0.5, 41.5 or 1,235."""
    rounded = Decimal(f"{number:.{SIGNIFICANT_DIGITS}g}").normalize()
    return number_format(f"{rounded:f}", use_l10n=True, force_grouping=True)


def _decimals(rounded: Decimal) -> int:
    return max(SIGNIFICANT_DIGITS - 1 - rounded.adjusted(), 0)


def exactly(amount: Decimal) -> str:
    """Returns an amount with the decimals that it has: a price, or a mark on a scale."""
    text = number_format(f"{amount.normalize():f}", use_l10n=True, force_grouping=True)
    return _("$%(amount)s") % {"amount": text}

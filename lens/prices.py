"""Units as money, at the prices of the settings."""

from django.conf import settings

MILLION = 1_000_000


def price(*, reads: float, writes: float) -> float:
    """Returns the price of these units in dollars, on demand."""
    return (reads * settings.READ_PRICE + writes * settings.WRITE_PRICE) / MILLION

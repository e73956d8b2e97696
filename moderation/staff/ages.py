"""How long the open cases have waited, in steps that tell today's work from what was left lying."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

STEPS = {
    "1h": timedelta(hours=1),
    "8h": timedelta(hours=8),
    "1d": timedelta(days=1),
    "3d": timedelta(days=3),
}
MORE = "more"


def count_ages(opened: Iterable[datetime], now: datetime) -> list[tuple[str, int]]:
    """Returns how many of the cases opened at these moments are of each age, the youngest first."""
    counts = Counter(_age_of(now - moment) for moment in opened)
    return [(name, counts[name]) for name in (*STEPS, MORE)]


def _age_of(age: timedelta) -> str:
    return next((name for name, most in STEPS.items() if age < most), MORE)

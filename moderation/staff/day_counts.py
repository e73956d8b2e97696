"""The counts of each day and their names, and durations in everyday words.

The stream worker counts (`stream_handlers/count_day.py`), and the overview shows the counts (`overview.py`). Durations
are counted in steps, so a few numbers give the median of any number of cases.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

SIGN_UPS = "sign-ups"
REPORTS = "reports."  # and the rule
ACTIONS = "actions."  # and the kind
ANSWERED = "answered."  # and within how long after the case was opened
CLOSED = "closed."

HOUR, DAY = 3600, 86_400
LONGER = "longer"
STEPS: Mapping[str, int] = {
    "15m": HOUR // 4,
    "1h": HOUR,
    "2h": 2 * HOUR,
    "4h": 4 * HOUR,
    "8h": 8 * HOUR,
    "1d": DAY,
    "2d": 2 * DAY,
    "4d": 4 * DAY,
    "1w": 7 * DAY,
    "2w": 14 * DAY,
    "4w": 28 * DAY,
}


def step_of(began: datetime, ended: datetime) -> str:
    """Returns the step in which a duration falls."""
    seconds = (ended - began).total_seconds()
    return next((name for name, most in STEPS.items() if seconds <= most), LONGER)


def median_step(counts: Mapping[str, int]) -> str:
    """Returns the step that contains the median, empty if nothing was counted."""
    total = sum(counts.values())
    so_far = 0
    for name in (*STEPS, LONGER):
        so_far += counts.get(name, 0)
        if total and so_far * 2 >= total:
            return name
    return ""


def day_of(moment: datetime) -> str:
    """Returns the day in UTC, as keys contain it."""
    return moment.astimezone(UTC).date().isoformat()

"""When posts were written: in the daily and weekly rhythm of people."""

import random
from datetime import UTC, datetime, timedelta
from itertools import accumulate

# One weight per hour of the day, from midnight: quiet nights, a lunch break, long evenings.
HOUR_WEIGHTS = (
    *(14, 8, 5, 3, 3, 5, 11, 20, 26, 25, 24, 26),
    *(34, 32, 25, 24, 27, 34, 46, 58, 66, 64, 48, 28),
)
WEEKEND_FACTOR = 1.35
GROWTH = 0.6
NEWEST_SECONDS = 50 * 60
LATELY_SECONDS = 5 * 3600
LATELY = 10  # posts, so that a site started in the quiet hours still has recent posts


def post_times(rng: random.Random, count: int, now: datetime, days: float) -> list[datetime]:
    """Draw `count` moments in UTC within the last `days` days, oldest first.

    `now` must know its time zone. There are more moments in the evening, at the weekend and lately,
    whatever the hour; the newest one is less than an hour old.
    """
    if count < 1:
        return []
    if now.tzinfo is None:
        raise ValueError("now has no time zone")
    now = now.astimezone(UTC)
    start = now - timedelta(days=days)
    hours = max(1, int(days * 24))
    step = (now - start) / hours
    weights = list(accumulate(hour_weight(start + i * step, i / hours) for i in range(hours)))
    late = min(LATELY, count // 20)
    drawn = rng.choices(range(hours), cum_weights=weights, k=count - 1 - late)
    times = [start + (hour + rng.random()) * step for hour in drawn]
    ends = [*(LATELY_SECONDS for _ in range(late)), NEWEST_SECONDS]
    lately = [now - timedelta(seconds=rng.uniform(0, min(end, days * 86_400))) for end in ends]
    return sorted([*times, *lately])


def hour_weight(moment: datetime, progress: float) -> float:
    """How much is written in the hour around a moment; `progress` runs from 0 to 1."""
    weekend = WEEKEND_FACTOR if moment.weekday() >= 5 else 1.0
    return HOUR_WEIGHTS[moment.hour] * weekend * (1 + GROWTH * progress)

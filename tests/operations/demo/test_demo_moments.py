"""The times of posts: in order, in range, and in the rhythm of people."""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone

import pytest

from operations.demo.people import post_times

NOW = datetime(2025, 6, 18, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(("count", "days"), [(0, 30), (1, 30), (2, 1), (5_000, 90), (50, 0.01)])
def test_post_times_are_sorted_and_in_range(count: int, days: float) -> None:
    times = post_times(random.Random(1), count, NOW, days)
    assert len(times) == count
    assert times == sorted(times)
    for time in times:
        assert time.tzinfo is UTC
        assert NOW - timedelta(days=days) <= time <= NOW
    if times:
        assert NOW - times[-1] < timedelta(hours=1)


def test_post_times_are_more_in_the_evening_and_at_the_weekend() -> None:
    times = post_times(random.Random(2), 40_000, NOW, 70)
    hours = Counter(time.hour for time in times)
    assert hours[20] > 5 * hours[3]
    days = Counter(time.weekday() for time in times)
    assert min(days[5], days[6]) > max(days[day] for day in range(5))


def test_somebody_has_posted_lately_in_the_quiet_hours_too() -> None:
    night = NOW.replace(hour=4)
    times = post_times(random.Random(1), 600, night, 20)
    assert sum(night - time < timedelta(hours=5) for time in times) >= 10


def test_post_times_repeat_with_the_seed() -> None:
    one = post_times(random.Random(3), 100, NOW, 30)
    assert one == post_times(random.Random(3), 100, NOW, 30)
    assert one != post_times(random.Random(4), 100, NOW, 30)


def test_post_times_understand_other_time_zones_but_not_none() -> None:
    local = NOW.astimezone(timezone(timedelta(hours=9)))
    assert post_times(random.Random(5), 9, local, 3) == post_times(random.Random(5), 9, NOW, 3)
    with pytest.raises(ValueError, match="time zone"):
        post_times(random.Random(5), 9, NOW.replace(tzinfo=None), 3)

"""A time of day in a zone, as people choose it, there and back.

A day on which clocks change has times that do not exist, and times that come twice. The first are refused, and of the
second the earlier is taken.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils.formats import date_format

from socialsite.web.time_zones import known_zones

MINUTE = timedelta(minutes=1)
LONGEST_JUMP = timedelta(days=2)  # longer than clocks were ever moved


class NoSuchTime(ValueError):
    """The clocks skip this time. `following` is the next moment that there is."""

    def __init__(self, following: datetime) -> None:
        super().__init__(following)
        self.following = following


def moment_of(local: datetime, zone: str) -> datetime:
    """Returns the moment, in UTC, at which clocks in the zone show this time. Raises `NoSuchTime`, and `OverflowError`
    at the ends of the calendar."""
    place = ZoneInfo(zone)
    moment = local.replace(tzinfo=place, fold=0).astimezone(UTC)
    shown = moment.astimezone(place).replace(tzinfo=None)
    if shown != local:
        raise NoSuchTime(_first_after(local, place))
    return moment


def _first_after(local: datetime, place: ZoneInfo) -> datetime:
    """Returns the first moment at which clocks show a later time: that of the change, to the second."""
    low = int((local.replace(tzinfo=place).astimezone(UTC) - LONGEST_JUMP).timestamp())
    high = int((local.replace(tzinfo=place).astimezone(UTC) + LONGEST_JUMP).timestamp())
    while low < high:
        middle = (low + high) // 2
        if datetime.fromtimestamp(middle, place).replace(tzinfo=None) < local:
            low = middle + 1
        else:
            high = middle
    return datetime.fromtimestamp(low, UTC)


def in_words(moment: datetime, zone: str) -> str:
    """Returns the moment as clocks in the zone show it: "Sunday, Oct. 25, 2026, 2:30 a.m. CEST"."""
    shown = moment.astimezone(ZoneInfo(zone))
    name = shown.tzname() or ""
    day, time = date_format(shown, "l"), date_format(shown.replace(tzinfo=None), "DATETIME_FORMAT")
    return f"{day}, {time} {f'UTC{name}' if name[:1] in '+-' else name}"


def typed_time(moment: datetime, zone: str) -> str:
    """Returns the moment as a browser's field for a time takes it."""
    return moment.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")


def is_zone(name: str) -> bool:
    return name in known_zones()

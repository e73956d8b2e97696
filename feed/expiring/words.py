"""In how long a post disappears, as its card says it."""

from datetime import datetime
from math import ceil

from django.utils.translation import ngettext

from socialsite.clock import utc_now

MINUTE, HOUR, DAY = 60, 3600, 86_400
MOST_HOURS = 36  # more are said in days


def seconds_until(end: datetime) -> int:
    return max(0, ceil((end - utc_now()).total_seconds()))


def in_how_long(end: datetime) -> str:
    """Returns the time that is left in its largest unit."""
    left = seconds_until(end)
    minutes, hours, days = ceil(left / MINUTE), round(left / HOUR), round(left / DAY)
    if minutes < HOUR // MINUTE:
        text = ngettext("Disappears in %(n)d minute", "Disappears in %(n)d minutes", minutes)
        return text % {"n": minutes}
    if left < MOST_HOURS * HOUR:
        text = ngettext("Disappears in %(n)d hour", "Disappears in %(n)d hours", hours)
        return text % {"n": hours}
    text = ngettext("Disappears in %(n)d day", "Disappears in %(n)d days", days)
    return text % {"n": days}

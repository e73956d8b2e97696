"""How long ago something was, as pages say it."""

from datetime import date, datetime
from functools import lru_cache

from babel.dates import format_skeleton
from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language, npgettext, pgettext, to_locale

from socialsite.clock import utc_now

MINUTE, HOUR, DAY = 60, 3600, 86_400


def ago(moment: datetime, language: str | None = None) -> str:
    """Returns how long ago it was, in short: `now`, `5m`, `3h`, `2d`, then the date. A page that asks often looks up
    the language at hand once."""
    now, language = utc_now(), language or get_language()
    seconds = int((now - moment).total_seconds())
    if seconds < 7 * DAY:
        unit = MINUTE if seconds < HOUR else HOUR if seconds < DAY else DAY
        return _in_short(max(0, seconds // unit), unit, language)
    day, today = timezone.localdate(moment), timezone.localdate(now)
    return short_date(day, language, with_year=day.year != today.year)


# A page says it 20 times, and looking up a plural takes longer than the rest of it.
@lru_cache(1024)
def _in_short(n: int, unit: int, language: str | None) -> str:
    if not n:
        return pgettext("how long ago", "now")
    if unit == MINUTE:
        return npgettext("how long ago, minutes", "%(n)dm", "%(n)dm", n) % {"n": n}
    if unit == HOUR:
        return npgettext("how long ago, hours", "%(n)dh", "%(n)dh", n) % {"n": n}
    return npgettext("how long ago, days", "%(n)dd", "%(n)dd", n) % {"n": n}


@lru_cache(4096)
def short_date(day: date, language: str | None, *, with_year: bool) -> str:
    """Returns `Nov 3` or `Nov 3, 2026`, as the language writes it. Digits alone would be ambiguous."""
    skeleton = "yMMMd" if with_year else "MMMd"
    return format_skeleton(skeleton, day, locale=to_locale(language or settings.LANGUAGE_CODE))

"""Shows times in the person's own zone: the one they chose in Settings, else that of their device, else UTC.

A script (`static/js/zone.js`) puts the device's zone into a cookie. A cookie can hold anything, so only names known to
`zoneinfo` are used. Without scripts, and on the first page of a visit, times are in UTC and say so.
"""

from datetime import datetime, tzinfo
from functools import cache, lru_cache
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global
from babel.dates import get_timezone_location
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, to_locale

COOKIE = "time_zone"
WORLD = "001"  # CLDR's name for the territory of zones without a country


@cache
def known_zones() -> frozenset[str]:
    """Returns every name that a device may send, old names such as `Asia/Calcutta` included."""
    return frozenset(available_timezones())


def zone_name(request: HttpRequest, chosen: str) -> str:
    """Returns the chosen zone, else the device's, else UTC."""
    name = f"__Host-{COOKIE}" if request.is_secure() else COOKIE
    device = request.COOKIES.get(name, "")
    return chosen or (device if device in known_zones() else "UTC")


def full_date(moment: datetime, language: str | None = None) -> str:
    """Returns date and time in the zone and language at hand, without seconds. UTC is named. A page that asks often
    looks up the language once."""
    return _full_date(moment, timezone.get_current_timezone(), language or get_language())


@lru_cache(4096)
def _full_date(moment: datetime, zone: tzinfo, language: str | None) -> str:
    minute = timezone.make_naive(moment, zone).replace(second=0, microsecond=0)
    text = _text_of(minute, language)
    return f"{text} UTC" if "UTC" in (str(zone), zone.tzname(None)) else text


@lru_cache(4096)
def _text_of(minute: datetime, language: str | None) -> str:
    # The language is a parameter so that the cache tells languages apart.
    return date_format(minute, "DATETIME_FORMAT")


def zone_choices() -> list[tuple[str, str]]:
    """Returns the zones to choose from, as "Germany: Berlin" in the language at hand, sorted by that."""
    return _zone_choices(to_locale(get_language() or settings.LANGUAGE_CODE))


@cache
def _zone_choices(language: str) -> list[tuple[str, str]]:
    countries = Locale.parse(language).territories
    territories = get_global("zone_territories")
    choices = []
    for zone in territories.keys() & known_zones():
        if zone.startswith("Etc/"):
            continue
        city = get_timezone_location(zone, locale=language, return_city=True).split("/")[-1]
        country = territories[zone]
        choices.append((zone, city if country == WORLD else f"{countries[country]}: {city}"))
    return [("UTC", "UTC"), *sorted(choices, key=lambda choice: choice[1].casefold())]


def zone_at_hand() -> str:
    """Returns the key of the zone at hand. Django's name for it can be an abbreviation (`-11`), which no zone has."""
    return str(timezone.get_current_timezone())

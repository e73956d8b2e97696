"""The language and the time zone of a page, and what a browser chose."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from functools import cache, lru_cache
from zoneinfo import available_timezones

from babel import Locale
from babel.core import get_global
from babel.dates import format_skeleton, get_timezone_location
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import (
    get_language,
    get_language_from_request,
    npgettext,
    override,
    pgettext,
    to_locale,
)
from django.utils.translation.trans_real import parse_accept_lang_header

from socialsite.clock import utc_now

# The languages that a post can be in, by their own names and as HTML's `lang` names them. Those of the site
# itself are in `settings.LANGUAGES`.

NAMES = (
    *(("en", "English"), ("de", "Deutsch"), ("zh-Hans", "简体中文"), ("zh-Hant", "繁體中文")),
    *(("ar", "العربية"), ("bn", "বাংলা"), ("ca", "Català"), ("cs", "Čeština"), ("da", "Dansk")),
    *(("el", "Ελληνικά"), ("es", "Español"), ("et", "Eesti"), ("fa", "فارسی"), ("fi", "Suomi")),
    *(("fr", "Français"), ("he", "עברית"), ("hi", "हिन्दी"), ("hr", "Hrvatski"), ("hu", "Magyar")),
    *(("id", "Indonesia"), ("it", "Italiano"), ("ja", "日本語"), ("ko", "한국어"), ("nb", "Norsk")),
    *(("nl", "Nederlands"), ("pl", "Polski"), ("pt", "Português"), ("ro", "Română")),
    *(("ru", "Русский"), ("sk", "Slovenčina"), ("sl", "Slovenščina"), ("sr", "Српски")),
    *(("sv", "Svenska"), ("sw", "Kiswahili"), ("ta", "தமிழ்"), ("th", "ไทย"), ("tr", "Türkçe")),
    *(("uk", "Українська"), ("ur", "اردو"), ("vi", "Tiếng Việt")),
)

_SELECTED = mark_safe(" selected")


def language_of_page() -> str:
    """Returns the language in which the site speaks to the viewer, as HTML names it."""
    return to_locale(get_language() or "en").replace("_", "-")


@lru_cache(1024)
def language_options(chosen: str, none: str) -> SafeString:
    """Returns the options of a `<select>`, each in its own language. `none` is what the first one says, which chooses
    no language. Cached, as every composer has all of them."""
    first = format_html('<option value=""{}>{}</option>', "" if chosen else _SELECTED, none)
    rest = format_html_join(
        "",
        '<option value="{0}" lang="{0}"{2}>{1}</option>',
        ((code, name, _SELECTED if code == chosen else "") for code, name in NAMES),
    )
    return first + rest


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


# Shows times in the person's own zone: the one they chose in Settings, else that of their device, else UTC.
#
# A script (`static/js/zone.js`) puts the device's zone into a cookie. A cookie can hold anything, so only names
# known to `zoneinfo` are used. Without scripts, and on the first page of a visit, times are in UTC and say so.

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


# How the site looks and behaves for someone: theme, language, time zone, and comforts that some people prefer
# to turn off.
#
# Pages follow one cookie only. So they need no read of the table, have the right theme from the first byte, and
# visitors can choose too. Accounts keep the same text (`accounts/profile/writes.py`), and signing in brings it
# to another browser.

THEMES = ("auto", "light", "dark")
YEAR = 365 * 86_400  # seconds
TEXT = re.compile(
    rf"theme:({'|'.join(THEMES)})\.language:([a-z-]*)\.scroll:(on|off)\.shortcuts:(on|off)"
    r"(?:\.warnings:(open))?(?:\.describe:(off))?(?:\.enter:(line))?(?:\.zone:([A-Za-z0-9_+/-]+))?"
)


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences, with their defaults. An empty language means the browser's, an empty zone the device's."""

    theme: str = "auto"
    language: str = ""
    scroll: bool = True  # older posts load by themselves
    shortcuts: bool = True  # single-key shortcuts
    time_zone: str = ""
    opens_warnings: bool = False  # posts with a content warning are open at once
    reminds_to_describe: bool = True  # the composer asks once about photos without a description
    enter_begins_line: bool = False  # in a message; else it sends, where there is a keyboard

    def __str__(self) -> str:
        """Returns the text that cookie and account keep. `parse` reads it."""
        on = {True: "on", False: "off"}
        return (
            f"theme:{self.theme}.language:{self.language}"
            f".scroll:{on[self.scroll]}.shortcuts:{on[self.shortcuts]}"
            f"{'.warnings:open' if self.opens_warnings else ''}"
            f"{'' if self.reminds_to_describe else '.describe:off'}"
            f"{'.enter:line' if self.enter_begins_line else ''}"
            f"{self.time_zone and f'.zone:{self.time_zone}'}"
        )


def parse(text: str) -> Preferences | None:
    """Returns the preferences in the text, None for any text that this site would not have written."""
    match = TEXT.fullmatch(text)
    if match is None:
        return None
    theme, language, scroll, shortcuts, warnings, describe, enter, zone = match.groups(default="")
    if language and language not in dict(settings.LANGUAGES):
        return None
    if zone and zone not in known_zones():
        return None
    return Preferences(
        theme=theme,
        language=language,
        scroll=scroll == "on",
        shortcuts=shortcuts == "on",
        time_zone=zone,
        opens_warnings=bool(warnings),
        reminds_to_describe=not describe,
        enter_begins_line=bool(enter),
    )


def chosen_preferences(request: HttpRequest) -> Preferences | None:
    """Returns the preferences chosen in this browser, None if there are none."""
    return parse(request.COOKIES.get(settings.PREFERENCES_COOKIE_NAME, ""))


def preferences_of(request: HttpRequest) -> Preferences:
    return chosen_preferences(request) or Preferences()


def language_for(request: HttpRequest, preferences: Preferences) -> str:
    """Returns the chosen language, otherwise the first of the browser's languages that the site has."""
    return preferences.language or get_language_from_request(request)


TRADITIONAL = {"zh-tw": "zh-Hant", "zh-hk": "zh-Hant", "zh-mo": "zh-Hant"}


def languages_read(request: HttpRequest) -> list[str]:
    """Returns the languages of posts that a person surely reads: that of the page, then those that their browser asks
    for, as HTML names them."""
    known = {code.lower(): code for code, _ in NAMES}
    asked = [
        tag
        for tag, weight in parse_accept_lang_header(request.headers.get("Accept-Language", ""))
        if weight
    ]
    found = [
        TRADITIONAL.get(tag)
        or known.get(tag)
        or known.get("-".join(tag.split("-")[:2]))
        or known.get(tag.split("-")[0])
        or ("zh-Hans" if tag.startswith("zh") else "")
        for tag in asked
    ]
    return list(dict.fromkeys(one for one in (language_of_page(), *found) if one))


def language_names(codes: Iterable[str]) -> list[str]:
    """Returns the names of languages, each in itself."""
    names = dict(NAMES)
    return [names[code] for code in codes if code in names]


def keep_in_browser(response: HttpResponse, preferences: Preferences) -> None:
    """Sets the cookie."""
    response.set_cookie(
        settings.PREFERENCES_COOKIE_NAME,
        str(preferences),
        max_age=YEAR,
        secure=settings.PREFERENCES_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def in_templates(request: HttpRequest) -> dict[str, Preferences]:
    """The context processor for `preferences`, such as `preferences.theme`."""
    return {"preferences": preferences_of(request)}


def follow_preferences(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: puts everything behind it in the person's language and time zone, error pages too."""

    def middleware(request: HttpRequest) -> HttpResponse:
        chosen = chosen_preferences(request)
        preferences = chosen or Preferences()
        language = language_for(request, preferences)
        with override(language), timezone.override(zone_name(request, preferences.time_zone)):
            response = get_response(request)
        if response.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Content-Language", language)
            patch_vary_headers(response, ["Accept-Language", "Cookie"])
        # People who stay signed in never reach the end of the year.
        is_set = settings.PREFERENCES_COOKIE_NAME in response.cookies
        if chosen and request.session.modified and not is_set:
            keep_in_browser(response, chosen)
        return response

    return middleware

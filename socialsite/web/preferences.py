"""How the site looks and behaves for someone: theme, language, time zone, and comforts that some people prefer to turn
off.

Pages follow one cookie only. So they need no read of the table, have the right theme from the first byte, and visitors
can choose too. Accounts keep the same text (`accounts/services/save_preferences.py`), and signing in brings it to
another browser.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language_from_request, override

from socialsite.web.time_zones import known_zones, zone_name

THEMES = ("auto", "light", "dark")
YEAR = 365 * 86_400  # seconds
TEXT = re.compile(
    rf"theme:({'|'.join(THEMES)})\.language:([a-z-]*)\.scroll:(on|off)\.shortcuts:(on|off)"
    r"(?:\.warnings:(open))?(?:\.describe:(off))?(?:\.zone:([A-Za-z0-9_+/-]+))?"
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

    def __str__(self) -> str:
        """Returns the text that cookie and account keep. `parse` reads it."""
        on = {True: "on", False: "off"}
        return (
            f"theme:{self.theme}.language:{self.language}"
            f".scroll:{on[self.scroll]}.shortcuts:{on[self.shortcuts]}"
            f"{'.warnings:open' if self.opens_warnings else ''}"
            f"{'' if self.reminds_to_describe else '.describe:off'}"
            f"{self.time_zone and f'.zone:{self.time_zone}'}"
        )


def parse(text: str) -> Preferences | None:
    """Returns the preferences in the text, None for any text that this site would not have written."""
    match = TEXT.fullmatch(text)
    if match is None:
        return None
    theme, language, scroll, shortcuts, warnings, describe, zone = match.groups(default="")
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
    )


def chosen_preferences(request: HttpRequest) -> Preferences | None:
    """Returns the preferences chosen in this browser, None if there are none."""
    return parse(request.COOKIES.get(settings.PREFERENCES_COOKIE_NAME, ""))


def preferences_of(request: HttpRequest) -> Preferences:
    return chosen_preferences(request) or Preferences()


def language_for(request: HttpRequest, preferences: Preferences) -> str:
    """Returns the chosen language, otherwise the first of the browser's languages that the site has."""
    return preferences.language or get_language_from_request(request)


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

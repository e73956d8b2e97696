"""The site as an app without a store: its manifest, its service worker, the page that the worker shows without a
connection, and the page of Settings that says how to install it.

The worker (`static/js/sw.js`) keeps the offline page with its styles and its icon, and nothing else: no page of a
person ever lies in its cache. `/sw.js` is the few lines before it that say which files these are. A browser looks at
these lines once an hour, so whatever changes in a new version of the site changes them: the new worker takes over at
once and drops what the old one kept. Pages that are open go on as they are, as the worker gives them nothing.
"""

import hashlib
import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, get_language_bidi, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from socialsite.web.preferences import THEMES, Preferences
from socialsite.web.static_files import imported_by

HOUR, DAY = 3_600, 86_400  # seconds
SURFACE = "#ffffff"  # as in base.html and static/css/base.css
ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))
STYLE, LOGO, WORKER = "css/site.css", "icons/logo.svg", "js/sw.js"


def _language(request: HttpRequest) -> str:
    """Returns the language of the address (`?l=de`), which pages name as browsers ask for these files without cookies,
    else that of the person."""
    asked = request.GET.get("l", "").lower()
    return asked if asked in dict(settings.LANGUAGES) else get_language() or settings.LANGUAGE_CODE


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
def manifest(request: HttpRequest) -> HttpResponse:
    """Returns the manifest in the language of the address, else of the person. Reads nothing from the table."""
    with override(_language(request)):
        response = JsonResponse(_manifest(), content_type="application/manifest+json")
    patch_cache_control(response, private=True, max_age=DAY)
    return response


def _manifest() -> dict[str, object]:
    return {
        "id": "/",
        "name": "socialsite",
        "short_name": "socialsite",
        "description": _("A small, calm place to talk"),
        "lang": get_language(),
        "dir": "rtl" if get_language_bidi() else "ltr",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": SURFACE,
        "theme_color": SURFACE,
        "categories": ["social"],
        "icons": [_icon(*icon) for icon in ICONS],
        "shortcuts": [
            {"name": name, "url": address, "icons": [_icon(*ICONS[0])]}
            for name, address in (
                (_("New post"), "/posts/new"),
                (_("Messages"), "/messages"),
                (_("Notifications"), "/notifications"),
            )
        ],
        # By GET, as a form of an app carries no token. It leads into the composer, where the person decides.
        "share_target": {
            "action": "/posts/new",
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }


def _icon(name: str, size: int, purpose: str) -> dict[str, str]:
    return {
        "src": static(f"icons/{name}.png"),
        "sizes": f"{size}x{size}",
        "type": "image/png",
        "purpose": purpose,
    }


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Returns the worker's script. Reads nothing from the table."""
    script = _script if not settings.DEBUG else _script.__wrapped__
    lines = script(_language(request), _theme(request))
    response = HttpResponse(lines, content_type="text/javascript; charset=utf-8")
    patch_cache_control(response, private=True, max_age=HOUR)
    return response


@cache  # as all browsers ask for it
def _script(language: str, theme: str) -> str:
    """Returns what the worker keeps, under a name that changes with it, and where the rest of it is."""
    with override(language):
        page = _offline_page(theme, again="")
    files = [static(name) for name in (STYLE, *_parts(STYLE), LOGO)]
    kept = {
        "page": f"/offline?l={language}&t={theme}",
        "files": files,
        "icon": static("icons/icon-192.png"),
    }
    script = static(WORKER)
    kept["name"] = hashlib.sha256(json.dumps([kept, script, page]).encode()).hexdigest()[:12]
    return f"self.kept = {json.dumps(kept)};\nimportScripts({json.dumps(script)});\n"


def _parts(name: str) -> list[str]:
    """Returns the files that a style sheet imports: in production they are in it."""
    path = finders.find(name) if settings.DEBUG else None
    return imported_by(name, Path(path).read_text()) if path else []


def _theme(request: HttpRequest) -> str:
    asked = request.GET.get("t", "")
    return asked if asked in THEMES else THEMES[0]


def _offline_page(theme: str, *, again: str) -> str:
    looks = Preferences(theme=theme)
    return render_to_string("offline.html", {"preferences": looks, "again": again})


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Shows that there is no connection. The worker keeps it, so it is drawn without a person, and follows the address
    alone: language and theme. Reads nothing from the table.

    The worker asks with `l` and shows it at the address that could not be had, where trying again is loading again.
    """
    language = _language(request)
    with override(language):
        again = "" if "l" in request.GET else "/"
        response = HttpResponse(_offline_page(_theme(request), again=again))
    response["Content-Language"] = language
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def install(request: HttpRequest) -> HttpResponse:
    """Says how to install the site, by system, to visitors too. A browser that can do it at once gets a button."""
    return render(request, "install.html")

"""The files a browser needs to put the site on a home screen or in a tab: names, colours, icons."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.utils.cache import patch_cache_control
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

DAY = 86_400  # seconds
SURFACE = "#ffffff"  # as in base.html and static/css/base.css
ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("maskable-512", 512, "maskable"))


@require_safe
@vary_on_headers("Accept-Language")
def manifest(request: HttpRequest) -> HttpResponse:
    """Returns the manifest in the browser's preferred language, because browsers ask without cookies. Reads nothing
    from the table."""
    response = JsonResponse(
        {
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
            "icons": [
                {
                    "src": static(f"icons/{name}.png"),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, size, purpose in ICONS
            ],
            "shortcuts": [
                {"name": _("New post"), "url": "/posts/new"},
                {"name": _("Local"), "url": "/local"},
            ],
        },
        content_type="application/manifest+json",
    )
    patch_cache_control(response, private=True, max_age=DAY)
    return response


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirects to the icon, for browsers that ask for it without reading a page."""
    response = redirect(static("icons/favicon.ico"))
    patch_cache_control(response, public=True, max_age=DAY)
    return response

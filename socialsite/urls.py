"""Every address of the site: each app brings its own, grouped by what they act on.

`/healthz` and `/readyz` are answered before any of these: `web/health.py`.
"""

from django.conf import settings
from django.urls import include, path
from django.views.generic import TemplateView

from socialsite.web import (
    converters,
    error_pages,
    help_page,
    manifest,
    media,
    rules_page,
    worker_page,
)

handler400 = "socialsite.web.error_pages.bad_request"
handler403 = "socialsite.web.error_pages.forbidden"
handler404 = "socialsite.web.error_pages.not_found"
handler500 = "socialsite.web.error_pages.server_error"

urlpatterns = [
    path("", include("feed.urls")),
    path("", include("accounts.urls")),
    path("", include("moderation.urls")),
    path("about", TemplateView.as_view(template_name="about.html"), name="about"),
    path("rules", rules_page.rules, name="rules"),
    path("help/keys", help_page.keys, name="keys"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("favicon.ico", manifest.favicon, name="favicon"),
    path("operations/worker", worker_page.worker, name="worker"),
]
if not settings.MEDIA_BUCKET:
    urlpatterns.append(path("media/<path:name>", media.media, name="media"))
# Last: in debug mode too, an address that is not there gets the site's own page.
urlpatterns.append(path("<path:address>", error_pages.no_such_address))

__all__ = ["converters", "urlpatterns"]

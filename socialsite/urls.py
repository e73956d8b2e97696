"""Every address of the site. Each app has its own, grouped by what they act on.

`/healthz` and `/readyz` are answered before any of these: `web/pages/health.py`.
"""

from django.conf import settings
from django.urls import include, path
from django.views.generic import TemplateView

from socialsite.web import converters
from socialsite.web.pages import errors, help, manifest, media, robots, rules, security_txt

handler400 = "socialsite.web.pages.errors.bad_request"
handler403 = "socialsite.web.pages.errors.forbidden"
handler404 = "socialsite.web.pages.errors.not_found"
handler500 = "socialsite.web.pages.errors.server_error"

urlpatterns = [
    path("", include("feed.urls")),
    path("", include("accounts.urls")),
    path("", include("relations.urls")),
    path("", include("photos.urls")),
    path("", include("tags.urls")),
    path("", include("notifications.urls")),
    path("", include("moderation.urls")),
    path("", include("privacy.urls")),
    path("", include("costs.urls")),
    path("about", TemplateView.as_view(template_name="about.html"), name="about"),
    path("rules", rules.rules, name="rules"),
    path("help/keys", help.keys, name="keys"),
    path("manifest.webmanifest", manifest.manifest, name="manifest"),
    path("favicon.ico", manifest.favicon, name="favicon"),
    path("robots.txt", robots.robots, name="robots"),
    path(".well-known/security.txt", security_txt.security_txt, name="security_txt"),
    path("", include("lens.urls")),
    path("", include("operations.urls")),
]
if not settings.MEDIA_BUCKET:
    urlpatterns.append(path("media/<path:name>", media.media, name="media"))
# Last, so that unknown addresses get the site's own page in debug mode too.
urlpatterns.append(path("<path:address>", errors.no_such_address))

__all__ = ["converters", "urlpatterns"]

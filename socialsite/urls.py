"""Every address of the site. Each app has its own, grouped by what they act on.

`/healthz` and `/readyz` are answered before any of these: `web/pages.py`.
"""

from django.conf import settings
from django.urls import include, path
from django.views.generic import TemplateView

from socialsite.web import converters, errors, installed, status
from socialsite.web import pages as favicon
from socialsite.web import pages as help
from socialsite.web import pages as media
from socialsite.web import pages as robots
from socialsite.web import pages as rules
from socialsite.web import pages as security_txt

handler400 = "socialsite.web.errors.bad_request"
handler403 = "socialsite.web.errors.forbidden"
handler404 = "socialsite.web.errors.not_found"
handler500 = "socialsite.web.errors.server_error"

urlpatterns = [
    path("", include("feed.urls")),
    path("", include("accounts.urls")),
    path("", include("relations.urls")),
    path("", include("photos.urls")),
    path("", include("tags.urls")),
    path("", include("finding.urls")),
    path("", include("api.urls")),
    path("", include("notifications.urls")),
    path("", include("chats.urls")),
    path("", include("moderation.urls")),
    path("", include("site_votes.urls")),
    path("", include("privacy.urls")),
    path("", include("costs.urls")),
    path("about", TemplateView.as_view(template_name="about.html"), name="about"),
    path("rules", rules.rules, name="rules"),
    path("status", status.status, name="status"),
    path("help/keys", help.keys, name="keys"),
    path("app.webmanifest", installed.manifest, name="manifest"),
    path("sw.js", installed.worker, name="service_worker"),
    path("offline", installed.offline, name="offline"),
    path("settings/app", installed.install, name="install"),
    path("favicon.ico", favicon.favicon, name="favicon"),
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

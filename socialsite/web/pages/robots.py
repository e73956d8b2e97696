"""`/robots.txt`: which pages search engines need not ask for. Whether to list a page is said by the page itself."""

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from socialsite.web.pages.manifest import DAY

# They need a sign-in, or answer a form. An address that begins so is meant too.
CLOSED = (
    "/settings", "/moderation", "/operations/worker", "/login", "/logout", "/signup", "/confirm", "/standing",
    "/search", "/posts/new", "/people-to-follow", "/welcome", "/favourites", "/friends", "/circles", "/requests",
)  # fmt: skip


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Returns the file. Reads nothing from the table."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), ""]
    response = HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    patch_cache_control(response, public=True, max_age=DAY)
    return response

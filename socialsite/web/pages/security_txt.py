"""`/.well-known/security.txt` (RFC 9116): where to report a weakness of the site. `SECURITY_CONTACT` says it."""

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from socialsite.clock import utc_now
from socialsite.table.errors import NotFound
from socialsite.web.pages.manifest import DAY

HOLDS = timedelta(days=180)


@require_safe
def security_txt(request: HttpRequest) -> HttpResponse:
    """Returns the file, which holds for another half year each day. There is none without a contact. Reads nothing
    from the table."""
    if not settings.SECURITY_CONTACT:
        raise NotFound("no contact is set")
    until = (utc_now() + HOLDS).date()
    lines = [
        *(f"Contact: {contact}" for contact in settings.SECURITY_CONTACT),
        f"Expires: {until}T00:00:00Z",
        f"Preferred-Languages: {', '.join(code for code, _ in settings.LANGUAGES)}",
        "",
    ]
    response = HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
    patch_cache_control(response, public=True, max_age=DAY)
    return response

"""The language of the site that a page of staff is about."""

from django.conf import settings
from django.core.exceptions import BadRequest

from accounts.requests import SiteRequest
from socialsite.site.site_texts import readers_language


def asked_language(request: SiteRequest) -> str:
    """Returns the language in the address or the form, otherwise that of the page. Raises `BadRequest` for one that the
    site does not have."""
    asked = request.POST if request.method == "POST" else request.GET
    language = asked.get("language") or readers_language()
    if language not in dict(settings.LANGUAGES):
        raise BadRequest("not a language of the site")
    return language

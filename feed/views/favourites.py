"""The timeline of favourites."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.favourites import get_favourites
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


@require_safe
@sign_in_required
def favourites(request: SiteRequest) -> HttpResponse:
    """Shows the posts of favourites, newest first."""
    page = get_favourites(request.user, cursor=cursor_of(request))
    context = {"posts": page.items, **neighbours(request, page)}
    return page_or_fragment(request, "feed/favourites.html", "feed/_post_page.html", context)

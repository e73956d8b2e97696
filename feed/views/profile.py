"""A person's page: who they are, and their posts."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.access_patterns import get_user_info
from feed.access_patterns import list_posts
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.requests import SiteRequest


@require_safe
def profile(request: SiteRequest, handle: str) -> HttpResponse:
    """Name, bio, counts and posts, newest first."""
    person = get_user_info(request.people.person_id, viewer=request.user)
    person, page = list_posts(person, viewer=request.user, cursor=cursor_of(request))
    context = {"person": person, "posts": page.items, **neighbours(request, page)}
    return page_or_fragment(request, "accounts/profile.html", "feed/_post_page.html", context)

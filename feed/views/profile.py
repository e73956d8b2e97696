"""A person's page: who they are, their relationship with the viewer, and their posts."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from feed.access_patterns import list_posts
from feed.outside.link_preview import preview_of_profile
from relations.profiles import get_profile
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment


@require_safe
def profile(request: SiteRequest, handle: str) -> HttpResponse:
    """Shows name, bio, counts and posts, newest first. For a blocked person it shows only the name."""
    found = get_profile(request.people.person_id, viewer=request.user)
    blocks = found.relationship.blocks
    preview = preview_of_profile(request, found.person, is_blocked=blocks)
    context = {
        "person": found.person,
        "relationship": found.relationship,
        "link_preview": preview,
    }
    if not blocks:
        page = list_posts(found.person, viewer=request.user, cursor=cursor_of(request))
        context |= {"posts": page.items, **neighbours(request, page)}
    return page_or_fragment(request, "feed/profile.html", "feed/_post_page.html", context)

"""What a post said before it was edited."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from feed.editing.history import get_history
from socialsite.web.link_preview import preview_of_list


@require_safe
def history(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows all texts of a post, the present one first, to those who may see the post. Search engines leave it out."""
    post, versions = get_history(post_id, request.people.person_id, viewer=request.user)
    preview = preview_of_list(request, post.history_url, is_indexed=False)
    context = {"post": post, "versions": versions, "link_preview": preview}
    return render(request, "feed/editing/history.html", context)

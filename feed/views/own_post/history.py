"""What a post said before it was edited."""

from dataclasses import replace

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from feed.editing.differences import mark_changes
from feed.editing.history import get_history
from socialsite.web.link_preview import preview_of_list


@require_safe
def history(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Shows all texts of a post, the present one first, each with marks where it differs from the one before, to those
    who may see the post. Search engines leave it out."""
    post, versions = get_history(post_id, request.people.person_id, viewer=request.user)
    preview = preview_of_list(request, post.history_url, is_indexed=False)
    marked = mark_changes([version.html for version in versions])
    shown = [replace(one, html=html) for one, html in zip(versions, marked, strict=True)]
    context = {"post": post, "versions": shown, "link_preview": preview}
    return render(request, "feed/editing/history.html", context)

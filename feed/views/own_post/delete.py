"""Deleting a post."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.services.delete_post import delete_post
from socialsite.table.errors import NotFound
from socialsite.web.fragments import page_or_fragment


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def delete(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then deletes the viewer's post. Answers 404 for other people's posts."""
    if request.people.person_id != request.user.user_id:
        raise NotFound("not your post")
    if request.method != "POST":
        post = get_post(post_id, request.user.user_id, viewer=request.user)
        return page_or_fragment(
            request, "feed/delete_post.html", "feed/_delete_form.html", {"post": post}
        )
    delete_post(by=request.user, post_id=post_id)
    if request.htmx:
        return render(request, "feed/_deleted.html", {"post_id": post_id})
    messages.success(request, _("Post deleted."))
    return redirect(f"/@{request.user.handle}")

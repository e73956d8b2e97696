"""Limiting all past posts that are for everyone: a page that says how many, and how far the worker has got."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.requests import SiteRequest, sign_in_required
from feed.editing.forms import PastPostsForm
from feed.editing.past_posts import PastPosts, count_past_posts, get_limiting
from feed.services.limit_past_posts import AlreadyLimiting, limit_past_posts
from socialsite.web.bounds.limits import POSTS, count_hits
from socialsite.web.fragments import page_or_fragment


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def limit(request: SiteRequest) -> HttpResponse:
    """Says how many of the viewer's posts are for everyone, and limits them to followers or friends. While the worker
    is at it, shows how far it has got, and to htmx that alone."""
    limiting = get_limiting(request.user)
    if request.method == "POST" and limiting:
        return _page(request, status=409, limiting=limiting)
    if limiting or (request.htmx and request.method == "GET"):
        return _page(request, status=200, limiting=limiting)
    posts = count_past_posts(request.user)
    form = PastPostsForm(request.POST if request.method == "POST" else None)
    if not form.is_valid() or not posts.count:
        status = 422 if form.errors else 200
        return _page(request, status=status, posts=posts, form=form)
    count_hits((POSTS, request.user.user_id))
    try:
        limit_past_posts(by=request.user, count=posts.count, **form.cleaned_data)
    except AlreadyLimiting:
        return _page(request, status=409, limiting=get_limiting(request.user))
    messages.success(request, _("Started. You can leave this page."))
    return redirect(request.path)


def _page(
    request: SiteRequest,
    *,
    status: int,
    posts: PastPosts | None = None,
    **context: object,
) -> HttpResponse:
    page, fragment = "feed/editing/limit_past_posts.html", "feed/editing/_limiting.html"
    return page_or_fragment(request, page, fragment, {"posts": posts, **context}, status=status)

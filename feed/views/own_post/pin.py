"""Pinning a post to the top of one's own page: a dialog, or a page without scripts."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRefresh, reswap, retarget

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_post
from feed.cards import PostCard
from feed.editing.pins import is_pinned
from feed.services.pin_post import CannotPin, pin_post, unpin_post
from socialsite.table.errors import NotFound
from socialsite.web.fragments import page_or_fragment, wanted_state


@require_http_methods(["GET", "HEAD", "POST"])
@sign_in_required
def pin(request: SiteRequest, handle: str, post_id: str) -> HttpResponse:
    """Asks, then pins (`on=1`) or unpins (`on=0`) one of the viewer's own posts. Answers 404 for replies and others'
    posts, 409 with a sentence if there are as many as there can be."""
    post = get_post(post_id, request.people.person_id, viewer=request.user)
    if not post.is_own or post.is_reply:
        raise NotFound("not a post of yours that can be pinned")
    if request.method != "POST":
        return _page(request, post)
    try:
        on = wanted_state(request)
        (pin_post if on else unpin_post)(by=request.user, post_id=post_id)
    except CannotPin as refusal:
        return _page(request, post, refusal.sentence, status=409)
    said = _("Pinned to the top of your profile.") if on else _("No longer pinned.")
    messages.success(request, said)
    if not request.htmx:
        return redirect(post.author.url)
    is_on_profile = request.htmx.current_url_abs_path == post.author.url
    return HttpResponseClientRefresh() if is_on_profile else HttpResponse()


def _page(
    request: SiteRequest, post: PostCard, why_not: str = "", *, status: int = 200
) -> HttpResponse:
    context = {
        "post": post,
        "why_not": why_not,
        "pinned": is_pinned(post.post_id, viewer=request.user),
    }
    response = page_or_fragment(
        request, "feed/editing/pin.html", "feed/editing/_pin_form.html", context, status=status
    )
    return reswap(retarget(response, "#modal"), "innerHTML")

"""The page of posts for someone, to which Explore leads."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.for_you.reads import list_posts_for
from relations.suggested import ask_for_suggestions, find_suggestions


@require_safe
def posts_for_you(request: SiteRequest) -> HttpResponseBase:
    """Shows posts that people near the viewer like, each with their number."""
    ask_for_suggestions(request.people)
    return _page(request)


@sign_in_required
def _page(request: SiteRequest) -> HttpResponse:
    card = request.user.card
    beyond = [one.user_id for one in find_suggestions(request.user).people]
    context = {
        "found": list_posts_for(request.user, beyond=beyond),
        "is_off": card is not None and card.no_topics,
    }
    return render(request, "feed/posts_for_you.html", context)

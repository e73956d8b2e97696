"""The answers of dialogs that change the card behind them. The card says in `drawn` how it was drawn."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django_htmx.http import reswap, retarget

from accounts.requests import SiteRequest
from feed.cards import PostCard
from socialsite.web.fragments import page_or_fragment

DRAWN = {"detail", "joined"}  # how a card may be drawn, besides as in lists


def address_of(request: SiteRequest, url: str) -> str:
    """Returns where the form goes."""
    drawn = request.GET.get("drawn", "")
    return f"{url}?drawn={drawn}" if drawn in DRAWN else url


def in_dialog(
    request: SiteRequest, page: str, fragment: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Answers with the form: the page, or the fragment in the dialog, also when the form was sent from there."""
    response = page_or_fragment(request, page, fragment, context, status=status)
    return reswap(retarget(response, "#modal"), "innerHTML")


def in_place(request: SiteRequest, post: PostCard) -> HttpResponse:
    """Answers what was changed: htmx gets the card in place of the old one, everyone else a redirect to the post."""
    if not request.htmx:
        return redirect(f"{post.url}#post-{post.post_id}")
    drawn = request.GET.get("drawn")
    context = {
        "card": post,
        "detail": drawn == "detail",
        "hides_answered": drawn == "joined",
        "came_from": request.htmx.current_url_abs_path or post.url,
    }
    return render(request, "feed/editing/_changed.html", context)

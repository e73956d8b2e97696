"""The home timeline, and the pill that says how many posts are new."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from feed.access_patterns import get_posts, get_timeline, list_newer, pointer_of
from feed.forms import PostForm
from feed.local_timeline import list_public
from socialsite.table import keys
from socialsite.table.cursors import Place, write_cursor
from socialsite.table.reading import PAGE_SIZE
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.requests import SiteRequest, sign_in_required

LANDING_POSTS = 10


@require_GET
def home(request: SiteRequest) -> HttpResponse:
    """What the people one follows said, newest first; for visitors, what this site is."""
    if not request.user.is_authenticated:
        posts = list_public(size=LANDING_POSTS).items
        return render(request, "feed/landing.html", {"posts": posts})
    page = get_timeline(request.user, cursor=cursor_of(request))
    context = {
        "posts": page.items,
        "form": PostForm(),
        "pill_url": pill_url(request, page.top),
        **neighbours(request, page),
    }
    return page_or_fragment(request, "feed/home.html", "feed/_post_page.html", context)


@require_GET
@sign_in_required
def new_posts(request: SiteRequest) -> HttpResponse:
    """How many posts came since the page was made (the pill), or with `show=1` those posts themselves.

    204 when there are none, so that a waiting page costs one small read. Never inserts by itself.
    """
    if not request.htmx:
        return redirect("/")
    page = list_newer(request.user, since=request.GET.get("since") or None)
    own = request.user.user_id
    pointers = [pointer for pointer in map(pointer_of, page.items) if pointer.author_id != own]
    if request.GET.get("show"):
        posts = get_posts(pointers, viewer=request.user)
        context = {"posts": posts, "pill_url": pill_url(request, page.top)}
        return render(request, "feed/_new_posts.html", context)
    if not pointers:
        return HttpResponse(status=204)
    more = "+" if len(page.items) == PAGE_SIZE else ""
    pill: dict[str, Any] = {
        "n": len(pointers),
        "count": len(pointers),
        "count_text": f"{len(pointers)}{more}",
        "pill_url": request.get_full_path(),
        "show_url": f"{request.get_full_path()}&show=1",
    }
    return render(request, "feed/_pill_slot.html", pill)


def pill_url(request: SiteRequest, top: str | None) -> str:
    """Where the page asks for what is newer than its top entry."""
    place = Place("previous", top or keys.pointer("", ""))
    cursor = write_cursor(keys.timeline(request.user.user_id), place)
    return f"/new?{urlencode({'since': cursor})}"

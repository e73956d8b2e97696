"""The home timeline, and the pill that says how many posts are new."""

from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_timeline, list_newer
from feed.forms import PostForm
from feed.local_timeline import list_newest_by_author
from socialsite.table import keys
from socialsite.table.cursors import Place, write_cursor
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

LANDING_POSTS = 10
LANDING_PEOPLE = 5


@require_safe
def home(request: SiteRequest) -> HttpResponse:
    """Shows posts of the people the viewer follows, newest first, or an introduction to visitors. Sends people who are
    locked out to their account status."""
    if request.user.locked_out:
        return redirect("/standing")
    if not request.user.is_authenticated:
        posts = list_newest_by_author(size=LANDING_POSTS)
        landing = {"posts": posts, "people_here": [post.author for post in posts[:LANDING_PEOPLE]]}
        return render(request, "feed/landing.html", landing)
    page = get_timeline(request.user, cursor=cursor_of(request))
    context = {
        "posts": page.items,
        "form": PostForm(circles=request.user.circles),
        "pill_url": pill_url(request, page.top),
        **neighbours(request, page),
    }
    return page_or_fragment(request, "feed/home.html", "feed/_post_page.html", context)


@require_safe
@sign_in_required
def new_posts(request: SiteRequest) -> HttpResponse:
    """Answers with the number of posts since the page was made (the pill), or with `show=1` with the posts themselves.

    Answers 204 if there are none, so a waiting page costs one small read. Never inserts posts by itself.
    """
    if not request.htmx:
        return redirect("/")
    since = request.GET.get("since", "")
    page = list_newer(request.user, since=since)
    here = f"/new?{urlencode({'since': since})}"
    if request.GET.get("show"):
        fresh = pill_url(request, page.top) if page.top else here
        context = {"posts": page.items, "pill_url": fresh}
        return render(request, "feed/_new_posts.html", context)
    if not page.items:
        return HttpResponse(status=204)
    count = len(page.items)
    pill = {
        "n": count,
        "count": count,
        "count_text": f"{count}+" if page.previous_cursor else str(count),
        "pill_url": here,
        "show_url": f"{here}&show=1",
    }
    return render(request, "feed/_pill_slot.html", pill)


def pill_url(request: SiteRequest, top: str | None) -> str:
    """Returns the address at which the page asks for posts newer than its top entry."""
    place = Place("previous", top or keys.pointer("", ""))
    cursor = write_cursor(keys.timeline(request.user.user_id), place)
    return f"/new?{urlencode({'since': cursor})}"

"""The home timeline, and the posts that came since it was opened."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.access_patterns import get_timeline
from feed.forms.blank import BlankForm
from feed.newer import Pill, list_newer
from feed.pulled.news import ask_to_merge, get_news
from feed.suggested.newest_authors import list_newest_by_author
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
    news = get_news(request.user)
    page = get_timeline(request.user, cursor=cursor_of(request), news=news)
    context = {
        "posts": page.items,
        "form": BlankForm(circles=request.user.circles),
        **neighbours(request, page),
    }
    if not context["newer_url"]:
        ask_to_merge(request.user, news)
        context["pill"] = Pill.above(request.user, page.top)
    return page_or_fragment(request, "feed/home.html", "feed/_post_page.html", context)


@require_safe
@sign_in_required
def new_posts(request: SiteRequest) -> HttpResponse:
    """Answers with the posts since the page was made (`show=1`), and a pill that counts from there on.

    Pages from before the number came with the badges still ask for it here: 204.
    """
    if not request.htmx:
        return redirect("/")
    if not request.GET.get("show"):
        return HttpResponse(status=204)
    since = request.GET.get("since", "")
    page = list_newer(request.user, since=since)
    pill = Pill.above(request.user, page.top) if page.top else Pill(since)
    context = {"posts": page.items, "pill": pill, "waiting": request.user.waiting}
    return render(request, "feed/_new_posts.html", context)

"""Finding people: by the beginning of a name, or among those who post here."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.directory import search_people
from feed.suggestions import suggest_people
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment
from socialsite.web.requests import SiteRequest

LONGEST = 60  # characters of what is searched for


@require_safe
def search(request: SiteRequest) -> HttpResponse:
    """Those whose handle or name begins so; people to follow while nothing is asked. Each key that is typed asks."""
    text = request.GET.get("q", "").strip()[:LONGEST]
    if not text:
        people = suggest_people(viewer=request.user)
        context = {"q": "", "people": people}
        return page_or_fragment(request, "feed/search.html", "feed/_found.html", context)
    cursor = cursor_of(request)
    page = search_people(text, viewer=request.user, cursor=cursor)
    context = {"q": text, "people": page.items, **neighbours(request, page, q=text)}
    fragment = "accounts/_person_page.html" if cursor else "feed/_found.html"
    return page_or_fragment(request, "feed/search.html", fragment, context)


@require_safe
def explore(request: SiteRequest) -> HttpResponse:
    """The search box, and people to follow."""
    people = suggest_people(viewer=request.user)
    return page_or_fragment(
        request, "feed/explore.html", "feed/_found.html", {"q": "", "people": people}
    )

"""The page of public posts that were found by their words. People, tags and one's own lists are found at `/search`
(`feed/home/views.py`)."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from finding.query import read_query
from finding.reads import search_posts
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

MOST_LIKED = "likes"


@require_safe
def posts(request: SiteRequest) -> HttpResponse:
    """Shows the posts that have the words of `q`, newest first, or with `by=likes` the most liked of the newest. Says
    how far back was looked, and what of the text was not understood."""
    asked = read_query(request.GET.get("q", ""))
    by = MOST_LIKED if request.GET.get("by") == MOST_LIKED else ""
    cursor = None if by else cursor_of(request)
    found = search_posts(asked, viewer=request.user, cursor=cursor, most_liked=bool(by))
    context = {
        "q": asked.text,
        "asked": asked,
        "found": found,
        "by": by,
        "where": "public",
        **neighbours(request, found, q=asked.text),
    }
    return page_or_fragment(request, "finding/posts.html", "finding/_hits.html", context)

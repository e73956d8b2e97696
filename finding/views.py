"""The page of the search: people and tags by their beginnings, public posts by their words, the best of each on one
page or each under a tab of its own; and what is in lists of the viewer's own, by its words (`feed/searching.py`)."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.saved.reads import search_saved_posts
from feed.searching import Found, search_liked_posts, search_own_posts
from finding.query import Asked, read_query
from finding.reads import find_best, search_posts
from relations.directory import find_tags, search_people
from socialsite.table import NotFound
from socialsite.texts import SIGNS, tag_url
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

MOST_LIKED = "likes"
LONGEST_NAME = 60  # characters of a search in people and tags, and in one's own lists
MOST_TAGS = 50
READ_BESIDE = 12  # directory entries; a person has several
SHOWN_BESIDE = 5
OWN_LISTS: dict[str, Callable[..., Found[Any]]] = {
    "posts": search_own_posts,
    "liked": search_liked_posts,
    "saved": search_saved_posts,
}


@require_safe
def search(request: SiteRequest) -> HttpResponseBase:
    """Shows the best people, tags and posts for the text `q`, or with `tab` one kind alone. It is asked at every key
    press, also from the right column (`place`), which shows the first few people.

    The tab of posts, and with `in` those of the viewer's own lists, are asked by a form, as they read many posts.
    """
    if request.GET.get("in"):
        return _own_list(request)
    if request.htmx and request.GET.get("place") == "side-":
        return _beside(request, request.GET.get("q", "").strip()[:LONGEST_NAME])
    asked = read_query(request.GET.get("q", ""))
    tab = request.GET.get("tab", "")
    show = TABS.get(tab, _best)
    context, fragment = show(request, asked) if asked.text else ({}, "")
    context |= {"q": asked.text, "asked": asked, "tab": tab if tab in TABS else ""}
    part = fragment if fragment and cursor_of(request) else "finding/_found.html"
    return page_or_fragment(request, "finding/search.html", part, context)


Shown = tuple[dict[str, Any], str]  # the context, and the fragment of a further page


def _best(request: SiteRequest, asked: Asked) -> Shown:
    best = find_best(asked, viewer=request.user)
    return {"best": best, "tags": _linked(best.tags), "count": best.count}, ""


def _people(request: SiteRequest, asked: Asked) -> Shown:
    text = asked.text[:LONGEST_NAME]
    page = search_people(text, viewer=request.user, cursor=cursor_of(request))
    links = neighbours(request, page, tab="people", q=asked.text)
    return {"people": page.items, "count": len(page.items), **links}, "relations/_person_page.html"


def _posts(request: SiteRequest, asked: Asked) -> Shown:
    by = MOST_LIKED if request.GET.get("by") == MOST_LIKED else ""
    cursor = None if by else cursor_of(request)
    found = search_posts(asked, viewer=request.user, cursor=cursor, most_liked=bool(by))
    links = neighbours(request, found, tab="posts", q=asked.text)
    return {"found": found, "by": by, "count": len(found.items), **links}, "finding/_hits.html"


def _tags(request: SiteRequest, asked: Asked) -> Shown:
    tags = find_tags(asked.text[:LONGEST_NAME], size=MOST_TAGS + 1)
    shown, more = tags[:MOST_TAGS], len(tags) > MOST_TAGS
    is_single = len(asked.text.lstrip(SIGNS)) < 2  # of which the tag of that name alone is found
    context = {"tags": _linked(shown), "more_tags": more, "is_single": is_single}
    return context | {"count": len(shown)}, ""


TABS: dict[str, Callable[[SiteRequest, Asked], Shown]] = {
    "people": _people,
    "posts": _posts,
    "tags": _tags,
}


def _linked(tags: Sequence[str]) -> list[tuple[str, str]]:
    return [(tag, tag_url(tag)) for tag in tags]


@sign_in_required
def _own_list(request: SiteRequest) -> HttpResponse:
    where, text = request.GET["in"], request.GET.get("q", "").strip()[:LONGEST_NAME]
    if where not in OWN_LISTS:
        raise NotFound("no such list")
    found: Found[Any] = Found(())
    if text:
        found = OWN_LISTS[where](request.user, text, cursor=cursor_of(request))
    links = neighbours(request, found, **{"in": where, "q": text})
    context = {"q": text, "where": where, "found": found, "longest": LONGEST_NAME, **links}
    page, fragment = "feed/searching/own_list.html", "feed/searching/_found_posts.html"
    return page_or_fragment(request, page, fragment, context)


def _beside(request: SiteRequest, text: str) -> HttpResponse:
    page = search_people(text, viewer=request.user, size=READ_BESIDE)
    there_are_more = page.next_cursor or len(page.items) > SHOWN_BESIDE
    context = {"q": text, "people": page.items[:SHOWN_BESIDE], "there_are_more": there_are_more}
    return render(request, "feed/_side_found.html", context)

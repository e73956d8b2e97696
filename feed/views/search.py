"""Finding people and tags by the beginning of a name, or people who post here; and posts in lists of the viewer's own
by their words."""

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest, sign_in_required
from feed.searching.liked import search_liked_posts
from feed.searching.looking import Found
from feed.searching.own_posts import search_own_posts
from feed.shelf.search_saved import search_saved_posts
from feed.suggested.beside_known import list_to_follow
from relations.directory import search_people
from relations.suggested.people_you_may_know import ask_for_suggestions
from relations.tag_index import find_tags
from socialsite.table.errors import NotFound
from socialsite.texts.hashtags import tag_url
from socialsite.web.converters import HandleConverter
from socialsite.web.fragments import cursor_of, neighbours, page_or_fragment

LONGEST = 60  # characters of a search
READ_BESIDE = 12  # directory entries; a person has several
SHOWN_BESIDE = 5
TAGS_SHOWN = 5
MOST_KNOWN = 10
MOST_AUTHORS = 12
OWN_LISTS: dict[str, Callable[..., Found[Any]]] = {
    "posts": search_own_posts,
    "liked": search_liked_posts,
    "saved": search_saved_posts,
}


@require_safe
def search(request: SiteRequest) -> HttpResponseBase:
    """Shows tags and people whose handle or name begins with the text, or people to follow if it is empty. It is asked
    at every key press, also from the right column (`place`), which shows the first few.

    With `in`, it shows the posts in a list of the viewer's own that have the words of the text. That is asked by a
    form, as it reads hundreds of posts.
    """
    if request.GET.get("in"):
        return _own_list(request)
    text = request.GET.get("q", "").strip()[:LONGEST]
    if request.htmx and request.GET.get("place") == "side-":
        return _beside(request, text)
    if not text:
        context = _people_to_follow(request)
        return page_or_fragment(request, "feed/search.html", "feed/_found.html", context)
    cursor = cursor_of(request)
    page = search_people(text, viewer=request.user, cursor=cursor)
    tags = [] if cursor else [(tag, tag_url(tag)) for tag in find_tags(text, size=TAGS_SHOWN)]
    context = {"q": text, "tags": tags, "people": page.items, **neighbours(request, page, q=text)}
    fragment = "relations/_person_page.html" if cursor else "feed/_found.html"
    return page_or_fragment(request, "feed/search.html", fragment, context)


@sign_in_required
def _own_list(request: SiteRequest) -> HttpResponse:
    where, text = request.GET["in"], request.GET.get("q", "").strip()[:LONGEST]
    if where not in OWN_LISTS:
        raise NotFound("no such list")
    found: Found[Any] = Found(())
    if text:
        found = OWN_LISTS[where](request.user, text, cursor=cursor_of(request))
    links = neighbours(request, found, **{"in": where, "q": text})
    context = {"q": text, "where": where, "found": found, **links}
    page, fragment = "feed/searching/own_list.html", "feed/searching/_found_posts.html"
    return page_or_fragment(request, page, fragment, context)


def _beside(request: SiteRequest, text: str) -> HttpResponse:
    page = search_people(text, viewer=request.user, size=READ_BESIDE)
    there_are_more = page.next_cursor or len(page.items) > SHOWN_BESIDE
    context = {"q": text, "people": page.items[:SHOWN_BESIDE], "there_are_more": there_are_more}
    return render(request, "feed/_side_found.html", context)


@require_safe
def explore(request: SiteRequest) -> HttpResponse:
    """Shows the search box, people the viewer may know, and people who post here."""
    context = _people_to_follow(request) | {"dismissed": _dismissed(request)}
    return page_or_fragment(request, "feed/explore.html", "feed/_found.html", context)


def _people_to_follow(request: SiteRequest) -> dict[str, Any]:
    ask_for_suggestions(request.people)
    found = list_to_follow(viewer=request.user, known=MOST_KNOWN, size=MOST_AUTHORS)
    return {"q": "", "known": found.known, "people": found.people}


def _dismissed(request: SiteRequest) -> str:
    """Returns the handle of the person whom the viewer has just dismissed without scripts, so that they can undo it."""
    handle = request.GET.get("dismissed", "")
    is_handle = re.fullmatch(HandleConverter.regex, handle, re.ASCII)
    return handle if is_handle and request.user.is_authenticated else ""

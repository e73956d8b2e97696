"""The pages of Explore: posts that people like today with people and topics beside them, and all people to follow."""

import re
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.requests import SiteRequest
from feed.explore.reads import list_all_to_follow, list_explored, list_liked_today, topics_now
from relations.suggested import ask_for_suggestions
from socialsite.web.converters import HandleConverter
from socialsite.web.fragments import page_or_fragment
from socialsite.web.preferences import language_names, languages_read
from socialsite.web.rich_text import preview_of_list

FURTHEST = 1000  # the place in a list from which nobody asks on


@require_safe
def explore(request: SiteRequest) -> HttpResponse:
    """Shows members and visitors the topics of now, some people to follow, and posts that people like today. With
    `from` it shows the posts from that place of the list on."""
    languages = languages_read(request)
    start = place_asked(request)
    if start:
        posts, after = list_liked_today(viewer=request.user, languages=languages, start=start)
        return _page(request, languages, {"posts": posts}, after)
    ask_for_suggestions(request.people)
    found = list_explored(viewer=request.user, languages=languages)
    context = {
        "posts": found.posts,
        "topics": found.to_follow.topics,
        "known": found.to_follow.known,
        "people": found.to_follow.people,
        "newcomers": found.to_follow.newcomers,
        "topics_now": topics_now(),
        "dismissed": dismissed(request),
        "is_first": True,
        "link_preview": preview_of_list(request, request.path),
    }
    return _page(request, languages, context, found.after)


def _page(
    request: SiteRequest, languages: list[str], context: dict[str, Any], after: int | None
) -> HttpResponse:
    context["older_url"] = f"{request.path}?from={after}" if after else ""
    context["older_label"] = _("More posts")  # the list is not by time
    context["languages"] = language_names(languages)
    return page_or_fragment(request, "feed/explore/explore.html", "feed/_post_page.html", context)


def place_asked(request: SiteRequest) -> int:
    """Returns the place in the list that the address names, 0 for its beginning and for what is no place."""
    asked = request.GET.get("from", "")
    is_place = asked.isascii() and asked.isdecimal() and len(asked) <= len(str(FURTHEST))
    return min(int(asked), FURTHEST) if is_place else 0


@require_safe
def people(request: SiteRequest) -> HttpResponse:
    """Shows everyone to follow: people the viewer may know, people who post here, and people who are new."""
    ask_for_suggestions(request.people)
    found = list_all_to_follow(viewer=request.user)
    context = {
        "known": found.known,
        "people": found.people,
        "newcomers": found.newcomers,
        "dismissed": dismissed(request),
    }
    return render(request, "feed/explore/people.html", context)


def dismissed(request: SiteRequest) -> str:
    """Returns the handle of the person whom the viewer has just dismissed without scripts, so that they can undo it."""
    handle = request.GET.get("dismissed", "")
    is_handle = re.fullmatch(HandleConverter.regex, handle, re.ASCII)
    return handle if is_handle and request.user.is_authenticated else ""

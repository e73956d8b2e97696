"""Tags and following them, and the lists of Explore: what many talk about, and what people like today."""

from typing import Any

from django.http import JsonResponse
from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, here, refuse
from api.entities.status import status_of, tag_of
from api.pages import limit_of
from feed.explore.reads import list_liked_today, topics_now
from relations.own_choices import writes
from socialsite.table import NotFound
from socialsite.texts import fold_tag
from socialsite.web.preferences import languages_read

FURTHEST = 1000  # the place in a list from which nobody asks on


def _folded(tag: str) -> str:
    folded = fold_tag(tag)
    if not folded:
        raise NotFound("no tag")
    return folded


@endpoint(visitors=True)
def tag(request: ApiRequest, tag: str) -> Any:
    """A tag, and whether the person follows it. There is each that can be written."""
    folded, viewer = _folded(tag), request.user
    is_followed = request.access.may("read:follows") and writes.is_followed_tag(
        folded, viewer=viewer
    )
    return tag_of(folded, here(request), following=bool(is_followed))


@endpoint("write:follows")
def follow(request: ApiRequest, tag: str) -> Any:
    """Follows a tag: its posts come into home."""
    folded = _folded(tag)
    try:
        writes.follow_tag(by=request.user, tag=folded)
    except writes.TooManyTags as error:
        raise refuse(_("You can follow up to 50 tags. Unfollow one first.")) from error
    return tag_of(folded, here(request), following=True)


@endpoint("write:follows")
def unfollow(request: ApiRequest, tag: str) -> Any:
    folded = _folded(tag)
    writes.unfollow_tag(by=request.user, tag=folded)
    return tag_of(folded, here(request), following=False)


@endpoint(visitors=True)
def topics(request: ApiRequest) -> Any:
    """What many people talk about now, where the site shows it: from this process's copy."""
    at = here(request)
    return [
        tag_of(one.tag, at) | {"people": one.people} for one in topics_now()[: limit_of(request)]
    ]


@endpoint("read:statuses", visitors=True)
def liked_today(request: ApiRequest) -> Any:
    """The posts that people like today, in the languages that the app asks for. As their page, which goes on by
    `offset`."""
    asked = request.sent.get("offset")
    is_place = asked.isascii() and asked.isdecimal() and len(asked) <= len(str(FURTHEST))
    posts, after = list_liked_today(
        viewer=request.user,
        languages=languages_read(request),
        start=min(int(asked), FURTHEST) if is_place else 0,
        size=limit_of(request),
    )
    at = here(request)
    response = JsonResponse([status_of(card, at, request.user) for card in posts], safe=False)
    if after:
        address = f"{request.build_absolute_uri(request.path)}?offset={after}"
        response["Link"] = f'<{address}>; rel="next"'
    return response

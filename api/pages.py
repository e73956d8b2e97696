"""How posts are called, and where a page of a list begins and ends.

An id names a post by the post's own id and its author's, as both are its key: 52 characters that sort by time, as
clients expect. Where a page ends, the `Link` header leads on with a cursor of the site in the place of an id: what it
says nobody can alter, and pages go on even where everything on one was hidden.
"""

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import JsonResponse

from api.access import ApiRequest
from feed.cards.post_card import PostCard
from feed.posts.reads import Pointer
from socialsite.table import PAGE_SIZE, NotFound, Page, Place, ids, keys, write_cursor


def status_id(post_id: str, author_id: str) -> str:
    return f"{post_id}{author_id}"


def id_of(card: PostCard) -> str:
    return status_id(card.post_id, card.author.user_id)


def pointer_to(name: str) -> Pointer:
    """Returns which post an id names. Raises `NotFound` for what is no id."""
    post_id, author_id = name[: ids.LENGTH], name[ids.LENGTH :]
    if not ids.is_id(post_id) or not ids.is_id(author_id):
        raise NotFound("no id")
    return Pointer(post_id, author_id)


def place_of_post(name: str) -> str:
    """Returns the place of a post in lists of posts by several authors."""
    return keys.pointer(*pointer_to(name)[:2])


def cursor_for(request: ApiRequest, scope: str, place_of: Callable[[str], str]) -> str | None:
    """Returns where the page begins that a client asks for, by the id of one of its items or as a link of ours said."""
    for name, direction in (("max_id", "next"), ("min_id", "previous")):
        if asked := request.sent.get(name):
            try:
                return write_cursor(scope, Place(direction, place_of(asked)))  # type: ignore[arg-type]
            except NotFound:
                return (
                    asked  # a cursor of ours; what is neither raises `BadCursor` where it is read
                )
    return None


def limit_of(request: ApiRequest, most: int = PAGE_SIZE) -> int:
    """Returns how many items a client wants at most: never more than a page of the site has."""
    asked = request.sent.get("limit")
    return min(max(int(asked), 1), most) if asked.isdecimal() and len(asked) < 6 else most


def answer_page(
    request: ApiRequest, items: Sequence[dict[str, Any]], page: Page[Any], size: int
) -> JsonResponse:
    """Answers with the first items of a page, and says in `Link` where the list goes on in both directions."""
    since = request.sent.get("since_id")
    shown = [one for one in items[:size] if not since or one["id"] > since]
    links = []
    if len(items) > size:
        links.append(_link(request, "next", "max_id", items[size - 1]["id"]))
    elif page.next_cursor:
        links.append(_link(request, "next", "max_id", page.next_cursor))
    if shown:
        links.append(_link(request, "prev", "min_id", shown[0]["id"]))
    elif page.previous_cursor:  # newer ones may be shown, though none of these is
        links.append(_link(request, "prev", "min_id", page.previous_cursor))
    response = JsonResponse(shown, safe=False)
    if links:
        response["Link"] = ", ".join(links)
    return response


PLACES = ("max_id", "min_id", "since_id")


def _link(request: ApiRequest, rel: str, name: str, value: str) -> str:
    asked = [(key, one) for key, some in request.GET.lists() if key not in PLACES for one in some]
    address = f"{request.build_absolute_uri(request.path)}?{urlencode([*asked, (name, value)])}"
    return f'<{address}>; rel="{rel}"'

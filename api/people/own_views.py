"""The people whom the person blocks and mutes, and those who ask to follow them. Each list goes on in one direction."""

from collections.abc import Callable, Iterable
from typing import Any

from api.access import ApiRequest, endpoint, here
from api.entities.account import account_of
from api.pages import answer_page, cursor_for, limit_of
from relations.models import RelationType
from relations.reads import RelationCard, list_own
from socialsite.table import NotFound, Page, ids, keys


def _own(
    request: ApiRequest,
    name: str,
    kind: RelationType,
    also: Callable[[RelationCard], dict[str, Any]] = lambda _card: {},
) -> Any:
    """Answers with a page of one of the person's own lists, the oldest account first. It goes on in one direction."""
    if "min_id" in request.sent:
        return []
    viewer = request.user
    cursor = cursor_for(
        request,
        f"{keys.relations(viewer.user_id)} {int(kind)}",
        lambda one: _place(viewer.user_id, kind, one),
    )
    page = list_own(viewer, name, cursor=cursor)
    return _answer(request, page, page.items, also, limit_of(request))


def _place(user_id: str, kind: RelationType, other_id: str) -> str:
    if not ids.is_id(other_id):
        raise NotFound("no id")
    return keys.relation(user_id, kind, other_id).sk


def _answer(
    request: ApiRequest,
    page: Page[Any],
    cards: Iterable[RelationCard],
    also: Callable[[RelationCard], dict[str, Any]],
    size: int,
) -> Any:
    at = here(request)
    items = [account_of(one.person, at) | also(one) for one in cards]
    return answer_page(request, items, page, size)


@endpoint("read:blocks")
def blocks(request: ApiRequest) -> Any:
    """The people whom the person blocks."""
    return _own(request, "blocked", RelationType.BLOCK)


@endpoint("read:mutes")
def mutes(request: ApiRequest) -> Any:
    """The people whom the person mutes, each with its end."""
    return _own(
        request, "muted", RelationType.MUTE, lambda card: {"mute_expires_at": card.until or None}
    )


@endpoint("read:follows")
def requests(request: ApiRequest) -> Any:
    """The people who ask to follow the person, the newest first: whole pages, which go on in one direction."""
    if "min_id" in request.sent:
        return []
    page = list_own(request.user, "follow", cursor=request.sent.get("max_id") or None)
    return _answer(request, page, page.items, lambda _card: {}, len(page.items) or 1)

"""The buttons between two people that are no follow button, and the lists of what they did. Each does first what its
page does, and then answers as the person's page would: by nothing, where the other blocks."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from api.access import ApiRequest, Refusal, endpoint, here, refuse
from api.composing.forms import valid
from api.entities.account import account_of
from api.entities.relationship import relationship_of
from api.pages import answer_page, cursor_for, limit_of
from relations.blocks import writes as blocks
from relations.follows import writes as follows
from relations.forms import CirclesForm
from relations.friends.writes import file_friend
from relations.models import RelationType
from relations.reads import RelationCard, find_person, get_profile, list_circles, list_own
from relations.relation import Blocked, TooManyFollowed
from socialsite.clock import utc_now
from socialsite.table import NotFound, Page, ids, keys

LONGEST_MUTE = 9  # digits of its seconds


def _do(request: ApiRequest, user_id: str, press: Callable[..., Any], **more: Any) -> Any:
    """Does what a button does, and answers with what the two are to each other now. Raises `NotFound`, also where the
    other blocks the person: then it is done all the same, as on the pages."""
    viewer = request.user
    if not ids.is_id(user_id):
        raise NotFound("no id")
    if user_id == viewer.user_id:
        raise Refusal(403, _("This action is not allowed"))
    try:
        press(by=viewer, user_id=user_id, **more)
    except Blocked as error:
        person = get_profile(user_id, viewer=viewer, consistent=True).person
        text = _("You can’t do this because you and @%(handle)s can’t see each other.")
        raise Refusal(403, text % {"handle": person.handle}) from error
    except TooManyFollowed as error:
        text = _("You can follow up to 7,500 people. Unfollow someone first.")
        raise refuse(text) from error
    found = get_profile(user_id, viewer=viewer, consistent=True)
    return relationship_of(found.person, found.relationship)


@endpoint("write:blocks")
def block(request: ApiRequest, user_id: str) -> Any:
    """Blocks a person. What was between the two ends."""
    return _do(request, user_id, blocks.block)


@endpoint("write:blocks")
def unblock(request: ApiRequest, user_id: str) -> Any:
    return _do(request, user_id, blocks.unblock)


@endpoint("write:mutes")
def mute(request: ApiRequest, user_id: str) -> Any:
    """Mutes a person, for `duration` seconds if there is one. They are not told."""
    asked = request.sent.get("duration") or "0"
    if not (asked.isascii() and asked.isdigit() and len(asked) <= LONGEST_MUTE):
        raise refuse(_("Choose how long."))
    if ids.is_id(user_id):
        find_person(user_id, viewer=request.user)
    until = utc_now() + timedelta(seconds=int(asked)) if int(asked) else None
    return _do(request, user_id, blocks.mute, until=until)


@endpoint("write:mutes")
def unmute(request: ApiRequest, user_id: str) -> Any:
    return _do(request, user_id, blocks.unmute)


@endpoint("write:follows")
def remove_follower(request: ApiRequest, user_id: str) -> Any:
    """Removes a follower, without telling them."""
    return _do(request, user_id, follows.remove_follower)


@endpoint("write:accounts")
def note(request: ApiRequest, user_id: str) -> Any:
    """Keeps a private note about a friend, as their circles do. The site keeps none about others."""
    viewer = request.user
    if not ids.is_id(user_id):
        raise NotFound("no id")
    profile = get_profile(user_id, viewer=viewer)
    if not profile.relationship.is_friend:
        raise refuse(_("You can keep a note about friends only."))
    circles = [circle.circle_id for circle in profile.relationship.circles]
    typed = {"note": request.sent.get("comment")}
    said = valid(CirclesForm(typed, existing=list_circles(viewer)))["note"]
    return _do(request, user_id, file_friend, circles=circles, note=said)


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
def blocked(request: ApiRequest) -> Any:
    """The people whom the person blocks."""
    return _own(request, "blocked", RelationType.BLOCK)


@endpoint("read:mutes")
def muted(request: ApiRequest) -> Any:
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


@endpoint("write:follows")
def accept(request: ApiRequest, user_id: str) -> Any:
    """Lets a person follow. Raises `NotFound` if they do not ask (any more)."""
    return _do(request, user_id, follows.accept_follow_request)


@endpoint("write:follows")
def decline(request: ApiRequest, user_id: str) -> Any:
    """Declines a request, without telling the person."""
    return _do(request, user_id, follows.decline_follow_request)

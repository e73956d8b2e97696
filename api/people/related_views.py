"""What one does with other people: following, blocking, muting, answering requests to follow, and a private note. The
lists of those blocked, muted and asking are in `own_views.py`."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.utils.translation import gettext as _

from accounts.people.cards import PersonCard
from accounts.people.viewer import Viewer
from api.access import ApiRequest, Refusal, endpoint, refuse, valid
from api.entities.relationship import relationship_of
from relations.blocks.writes import block as write_block
from relations.blocks.writes import mute as write_mute
from relations.blocks.writes import unblock as write_unblock
from relations.blocks.writes import unmute as write_unmute
from relations.follows import writes
from relations.forms import CirclesForm
from relations.friends.writes import file_friend
from relations.reads import find_person, get_profile, list_circles
from relations.relation import Blocked, NotRelated, TooManyFollowed
from socialsite.clock import utc_now
from socialsite.table import NotFound, ids

LONGEST_MUTE = timedelta(days=366)


def find(request: ApiRequest, user_id: str) -> PersonCard:
    """Returns another person, as the buttons of pages find them. Raises `NotFound`, and refuses what one would do with
    oneself."""
    return find_person(other(request, user_id), viewer=request.user)


def other(request: ApiRequest, user_id: str) -> str:
    """Returns the id of another person, whether they can be seen or not. Raises as `find`."""
    if not ids.is_id(user_id):
        raise NotFound("no id")
    if user_id == request.user.user_id:
        raise Refusal(403, _("This action is not allowed"))
    return user_id


def related(user_id: str, viewer: Viewer) -> dict[str, Any]:
    found = get_profile(user_id, viewer=viewer, consistent=True)
    return relationship_of(found.person, found.relationship)


@contextmanager
def explained(person: PersonCard, viewer: Viewer) -> Iterator[None]:
    """Says why a service refused, as pages do. The other person's block is never revealed: then nobody is found."""
    try:
        yield
    except Blocked as error:
        get_profile(person.user_id, viewer=viewer, consistent=True)
        text = _("You can’t do this because you and @%(handle)s can’t see each other.")
        raise Refusal(403, text % {"handle": person.handle}) from error
    except TooManyFollowed as error:
        text = _("You can follow up to 7,500 people. Unfollow someone first.")
        raise refuse(text) from error
    except NotRelated as error:
        raise NotFound("answered or withdrawn") from error


@endpoint("write:follows")
def follow(request: ApiRequest, user_id: str) -> Any:
    """Follows a person, or asks a locked account."""
    viewer, person = request.user, find(request, user_id)
    with explained(person, viewer):
        writes.follow_or_ask(by=viewer, person=person)
    return related(user_id, viewer)


@endpoint("write:follows")
def unfollow(request: ApiRequest, user_id: str) -> Any:
    """Unfollows a person, or takes the request back."""
    viewer, person = request.user, find(request, user_id)
    wide = person.is_widely_followed
    if not writes.unfollow(by=viewer, user_id=user_id, is_widely_followed=wide):
        writes.withdraw_follow_request(by=viewer, user_id=user_id)
    return related(user_id, viewer)


@endpoint("write:blocks")
def block(request: ApiRequest, user_id: str) -> Any:
    """Blocks a person, also one who blocks the viewer, as the page does. What was between the two ends."""
    write_block(by=request.user, user_id=other(request, user_id))
    return related(user_id, request.user)


@endpoint("write:blocks")
def unblock(request: ApiRequest, user_id: str) -> Any:
    write_unblock(by=request.user, user_id=other(request, user_id))
    return related(user_id, request.user)


@endpoint("write:mutes")
def mute(request: ApiRequest, user_id: str) -> Any:
    """Mutes a person for `duration` seconds, or until further notice. They are not told."""
    viewer, person = request.user, find(request, user_id)
    asked = request.sent.get("duration") or "0"
    if not (asked.isascii() and asked.isdecimal() and len(asked) < 10):
        raise refuse(_("Choose how long."))
    seconds = int(asked)
    length = min(timedelta(seconds=seconds), LONGEST_MUTE)
    with explained(person, viewer):
        write_mute(by=viewer, user_id=user_id, until=utc_now() + length if seconds else None)
    return related(user_id, viewer)


@endpoint("write:mutes")
def unmute(request: ApiRequest, user_id: str) -> Any:
    """Unmutes also someone who blocks the viewer: that is done before nobody is found."""
    write_unmute(by=request.user, user_id=other(request, user_id))
    return related(user_id, request.user)


@endpoint("write:follows")
def accept(request: ApiRequest, user_id: str) -> Any:
    viewer, person = request.user, find(request, user_id)
    with explained(person, viewer):
        writes.accept_follow_request(by=viewer, user_id=user_id)
    return related(user_id, viewer)


@endpoint("write:follows")
def decline(request: ApiRequest, user_id: str) -> Any:
    viewer, person = request.user, find(request, user_id)
    with explained(person, viewer):
        writes.decline_follow_request(by=viewer, user_id=user_id)
    return related(user_id, viewer)


@endpoint("write:follows")
def remove_follower(request: ApiRequest, user_id: str) -> Any:
    """Removes a follower, without telling them."""
    find(request, user_id)
    writes.remove_follower(by=request.user, user_id=user_id)
    return related(user_id, request.user)


@endpoint("write:accounts")
def note(request: ApiRequest, user_id: str) -> Any:
    """Keeps a private note about a friend, as their circles do. The site keeps none about others."""
    viewer, profile = request.user, get_profile(other(request, user_id), viewer=request.user)
    if not profile.relationship.is_friend:
        raise refuse(_("You can keep a note about friends only."))
    circles = [circle.circle_id for circle in profile.relationship.circles]
    typed = {"note": request.sent.get("comment")}
    said = valid(CirclesForm(typed, existing=list_circles(viewer)))["note"]
    file_friend(by=viewer, user_id=user_id, circles=circles, note=said)
    return related(user_id, viewer)

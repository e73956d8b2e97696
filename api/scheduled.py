"""The posts that the clock will publish: those of the person alone, the next one first."""

from typing import Any

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from api.access import ApiRequest, endpoint, here, refuse, valid
from api.composing.forms import time_in
from api.entities.scheduled import scheduled_of
from api.pages import answer_page, cursor_for, limit_of
from feed.composing.forms import ScheduleForm
from feed.composing.reads import ScheduledCard, Slot, get_scheduled, list_scheduled
from feed.composing.writes import delete_scheduled, reschedule_post
from feed.publishing.photos import CannotAttach
from photos.reads import get_photos
from socialsite.table import NotFound, keys


@endpoint("read:statuses")
def scheduled(request: ApiRequest) -> Any:
    """The list. As its page, and one BatchGetItem of the photos."""
    viewer = request.user
    scope = f"{keys.shelf(viewer.user_id)} scheduled"
    page = list_scheduled(
        viewer, cursor=cursor_for(request, scope, lambda name: _place(request, name))
    )
    return answer_page(request, _told(request, page.items), page, limit_of(request))


def _place(request: ApiRequest, name: str) -> str:
    slot = Slot.of(name)
    if slot is None:
        raise NotFound("no id")
    return slot.key(request.user.user_id).sk


def _told(request: ApiRequest, cards: Any) -> list[dict[str, Any]]:
    viewer, at = request.user, here(request)
    wanted = [one for card in cards for one in card.composition.photos]
    there = {photo.photo_id: photo for photo in get_photos(viewer, wanted)}
    return [
        scheduled_of(
            card, [there[one] for one in card.composition.photos if one in there], at, viewer
        )
        for card in cards
    ]


def _found(request: ApiRequest, slot: str) -> ScheduledCard:
    return get_scheduled(slot, viewer=request.user)


@endpoint("read:statuses")
def one(request: ApiRequest, slot: str) -> Any:
    return _told(request, [_found(request, slot)])[0]


@endpoint("write:statuses")
def plan_anew(request: ApiRequest, slot: str) -> Any:
    """Gives a scheduled post another moment, and with it another id."""
    card = _found(request, slot)
    form = ScheduleForm(
        MultiValueDict({name: list(some) for name, some in time_in(request.sent).items()})
    )
    moment = valid(form)["publish_at"]
    if moment is None:
        raise refuse(_("Choose a day and a time."))
    try:
        new = reschedule_post(
            by=request.user,
            slot=card.slot,
            version=card.version,
            composition=card.composition,
            publish_at=moment,
            zone=card.zone,
        )
    except CannotAttach as error:
        raise refuse(error.sentence) from error
    return _told(request, [_found(request, str(new))])[0]


@endpoint("write:statuses")
def take_back(request: ApiRequest, slot: str) -> Any:
    """Deletes a scheduled post."""
    card = _found(request, slot)
    delete_scheduled(by=request.user, slot=card.slot, version=card.version)
    return {}

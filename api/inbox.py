"""The inbox: a line for each group of the same, newest first, and marking it as read."""

from typing import Any

from django.http import JsonResponse

from api.access import ApiRequest, endpoint, here
from api.entities.account import account_of, moment
from api.entities.notification import groups_of, notification_of, type_of
from api.pages import answer_page, cursor_for, limit_of
from notifications.cards import NotificationCard
from notifications.reads import get_notification, list_notifications, token_of
from notifications.writes import read_notifications, read_shown
from socialsite.clock import utc_now
from socialsite.table import NotFound, Page, keys

INBOX = "notifications"


@endpoint("read:notifications")
def notifications(request: ApiRequest) -> Any:
    """What the person was told, as on its page, of the types that are asked for. Reading marks nothing as read."""
    page = _page(request)
    told = (notification_of(note, here(request), request.user) for note in page.items)
    return answer_page(request, [one for one in told if one], page, limit_of(request))


@endpoint("read:notifications")
def grouped(request: ApiRequest) -> Any:
    """The same in the newer form, in groups."""
    page, size = _page(request), limit_of(request)
    response = JsonResponse(groups_of(page.items[:size], here(request), request.user))
    places = [{"id": note.place} for note in page.items]
    if link := answer_page(request, places, page, size).get("Link"):
        response["Link"] = link
    return response


@endpoint("read:notifications")
def one(request: ApiRequest, place: str) -> Any:
    """One line. Reading it marks nothing as read."""
    told = notification_of(_line(request, place), here(request), request.user)
    if told is None:
        raise NotFound("clients have no word for it")
    return told


@endpoint("read:notifications")
def group(request: ApiRequest, place: str) -> Any:
    """The same in the newer form."""
    return groups_of([_line(request, place)], here(request), request.user)


@endpoint("read:notifications")
def people_of_group(request: ApiRequest, place: str) -> Any:
    """The people whom a line names: at most two, as on its page."""
    return [account_of(one, here(request)) for one in _line(request, place).named]


def _line(request: ApiRequest, place: str) -> NotificationCard:
    return get_notification(request.user, place)


def _page(request: ApiRequest) -> Page[NotificationCard]:
    """Returns a page of the inbox, with the types alone that are asked for: it may be short."""
    viewer, sent = request.user, request.sent
    scope = f"{keys.notifications(viewer.user_id)} "
    cursor = cursor_for(request, scope, lambda name: keys.notification("", name[:100]).sk)
    page = list_notifications(viewer, cursor=cursor)
    wanted, unwanted = set(sent.all("types")), set(sent.all("exclude_types"))
    shown = [
        note
        for note in page.items
        if (not wanted or type_of(note) in wanted) and type_of(note) not in unwanted
    ]
    return page.with_items(shown)


@endpoint("read:notifications")
def unread_count(request: ApiRequest) -> Any:
    """How many are new: the badge of pages. No call, as it came with the viewer."""
    return {"count": request.user.waiting.notifications}


@endpoint("write:notifications")
def clear(request: ApiRequest) -> Any:
    """Marks everything as read. Lines stay, as on the site, and expire by themselves."""
    read_notifications(by=request.user, up_to=request.user.waiting.changes)
    return {}


@endpoint("write:notifications")
def dismiss(request: ApiRequest, place: str) -> Any:
    """Marks one line as read."""
    time, group = place[: keys.TIME], place[keys.TIME :]
    value = request.user.waiting.unseen.get(group, "")
    if value.startswith(time) and time:
        read_shown(by=request.user, tokens={token_of(group, value)})
    return {}


@endpoint("read:statuses")
def markers(request: ApiRequest) -> Any:
    """How far a client read: the site keeps no such place, as it opens at the newest."""
    return {}


@endpoint("write:statuses")
def mark(request: ApiRequest) -> Any:
    """Takes that notifications were read up to one of them as that they were read."""
    last = request.sent.get(f"{INBOX}[last_read_id]")
    if not last:
        return {}
    read_notifications(by=request.user, up_to=request.user.waiting.changes)
    return {INBOX: {"last_read_id": last, "version": 1, "updated_at": moment(utc_now())}}

"""The inbox: a line for each group of the same, newest first, and marking it as read."""

from typing import Any

from api.access import ApiRequest, endpoint, here
from api.entities.account import moment
from api.entities.notification import notification_of
from api.pages import answer_page, cursor_for, limit_of
from notifications.reads import list_notifications, token_of
from notifications.writes import read_notifications, read_shown
from socialsite.clock import utc_now
from socialsite.table import keys

INBOX = "notifications"


@endpoint("read:notifications")
def notifications(request: ApiRequest) -> Any:
    """What the person was told, as on its page, of the types that are asked for. Reading marks nothing as read."""
    viewer, sent = request.user, request.sent
    scope = f"{keys.notifications(viewer.user_id)} "
    cursor = cursor_for(request, scope, lambda name: keys.notification("", name[:100]).sk)
    page = list_notifications(viewer, cursor=cursor)
    wanted, unwanted = set(sent.all("types")), set(sent.all("exclude_types"))
    told = (notification_of(note, here(request), viewer) for note in page.items)
    items = [
        one
        for one in told
        if one and (not wanted or one["type"] in wanted) and one["type"] not in unwanted
    ]
    return answer_page(request, items, page, limit_of(request))


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

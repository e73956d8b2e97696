"""Answers all follow requests at once, for people who unlock their account."""

from accounts.viewer import Viewer
from relations.models import RelationType
from relations.relation import Blocked, NotRelated
from relations.relation_lists import list_relating
from relations.services.follow_edges import TooManyFollowed
from relations.services.follow_requests import accept_follow_request, decline_follow_request
from socialsite.table.meter import access_pattern

MOST_AT_ONCE = 100  # requests


@access_pattern
def answer_waiting_requests(*, by: Viewer, accept: bool) -> tuple[int, bool]:
    """Accepts or declines up to 100 follow requests, newest first. Returns how many, and whether more are waiting.

    `typeIndex` in pages of 20 (Query and BatchGetItem each), and one transaction a request: 13 write units to accept, 3
    to decline. Skips people who withdrew meanwhile, are blocked, or have reached the limit of follows. If it stops in
    the middle, the rest keep waiting, and the next call goes on with them.
    """
    answered = seen = 0
    cursor: str | None = None
    while seen < MOST_AT_ONCE:
        page = list_relating(by.user_id, RelationType.FOLLOW_REQUEST, viewer=by, cursor=cursor)
        for request in page.items:
            answered += _answer(by, request.person.user_id, accept=accept)
        seen += len(page.items)
        cursor = page.next_cursor
        if not cursor:
            break
    return answered, bool(cursor)


def _answer(by: Viewer, user_id: str, *, accept: bool) -> bool:
    if not accept:
        decline_follow_request(by=by, user_id=user_id)
        return True
    try:
        accept_follow_request(by=by, user_id=user_id)
    except (NotRelated, Blocked, TooManyFollowed):
        return False
    return True

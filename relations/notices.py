"""What people are told of how others relate to them."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from relations.models import RelationType
from socialsite import keys
from socialsite.telling import Line, OptOut, kind, with_names


def _followed(line: Line) -> SafeString:
    text = ngettext("{names} followed you", "{names} followed you", line.count)
    return format_html(text, names=line.names)


FOLLOW = kind(
    "follow",
    "f",
    switch=OptOut.FOLLOWS,
    icon="user-plus",
    sentence=_followed,
    still=lambda user_id, actor, post_id: keys.follower(user_id, actor),
)
FOLLOW_REQUEST = kind(
    "follow request",
    "q",
    switch=OptOut.REQUESTS,
    icon="user-plus",
    sentence=with_names(_("{names} wants to follow you")),
    is_request=True,
    answer=_("See request"),
    answer_url="/requests",
    still=lambda user_id, actor, post_id: keys.relation(
        actor, RelationType.FOLLOW_REQUEST, user_id
    ),
)
FRIEND_REQUEST = kind(
    "friend request",
    "b",
    switch=OptOut.REQUESTS,
    icon="users",
    sentence=with_names(_("{names} wants to be your friend")),
    is_request=True,
    answer=_("See request"),
    answer_url="/requests",
    still=lambda user_id, actor, post_id: keys.relation(
        actor, RelationType.FRIEND_REQUEST, user_id
    ),
)
FOLLOW_ACCEPTED = kind(
    "follow accepted",
    "a",
    switch=OptOut.REQUESTS,
    icon="user-check",
    sentence=with_names(_("{names} accepted your request. You follow them now.")),
    was_asked_for=True,
)
FRIEND_ACCEPTED = kind(
    "friend accepted",
    "c",
    switch=OptOut.REQUESTS,
    icon="user-check",
    sentence=with_names(_("{names} accepted your request. You are friends now.")),
    was_asked_for=True,
    still=lambda user_id, actor, post_id: keys.relation(user_id, RelationType.FRIEND, actor),
)

REQUESTS = {
    RelationType.FOLLOW_REQUEST: FOLLOW_REQUEST,
    RelationType.FRIEND_REQUEST: FRIEND_REQUEST,
}
ACCEPTED = {
    RelationType.FOLLOW_REQUEST: FOLLOW_ACCEPTED,
    RelationType.FRIEND_REQUEST: FRIEND_ACCEPTED,
}

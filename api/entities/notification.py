"""Lines of the inbox, as notifications. A line of several people is told as of the first one that it names."""

from typing import Any

from accounts.people.viewer import Viewer
from api.entities.account import account_of, moment
from api.entities.status import status_of
from feed.notices import LIKE, MENTION, POLL_ENDED, POSTED, QUOTE, REPLY, REPOST
from notifications.cards import NotificationCard
from relations.notices import FOLLOW, FOLLOW_REQUEST
from socialsite.telling import Kind

# What is about anything else stands on the site alone: clients know no word for it.
TYPES: dict[Kind, str] = {
    LIKE: "favourite",
    REPOST: "reblog",
    REPLY: "mention",
    MENTION: "mention",
    QUOTE: "mention",
    POSTED: "status",
    POLL_ENDED: "poll",
    FOLLOW: "follow",
    FOLLOW_REQUEST: "follow_request",
}


def type_of(note: NotificationCard) -> str:
    """Returns the word for a line, empty if there is none."""
    return next((word for kind, word in TYPES.items() if kind is note.kind), "")


def notification_of(note: NotificationCard, here: str, viewer: Viewer) -> dict[str, Any] | None:
    """Returns a line, None if clients have no word for it."""
    word = type_of(note)
    person = note.named[0] if note.named else (note.post.author if note.post else None)
    if not word or person is None:
        return None
    return {
        "id": note.place,
        "type": word,
        "created_at": moment(note.created),
        "group_key": note.place,
        "account": account_of(person, here),
        "status": status_of(note.post, here, viewer) if note.post else None,
        # The site's own words.
        "people": note.people,
        "unread": note.is_new,
    }

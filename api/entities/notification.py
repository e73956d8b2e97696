"""Lines of the inbox, as notifications. A line of several people is told as of the first one that it names."""

from collections.abc import Sequence
from typing import Any

from accounts.people.viewer import Viewer
from api.entities.account import account_of, moment
from api.entities.status import status_of
from notifications.cards import NotificationCard
from notifications.push.apps import TYPES


def type_of(note: NotificationCard) -> str:
    """Returns the word for a line, empty if there is none."""
    return next((word for kind, word in TYPES.items() if kind is note.kind), "")


def groups_of(notes: Sequence[NotificationCard], here: str, viewer: Viewer) -> dict[str, Any]:
    """Returns lines in the newer form: groups, which is what they are here, with the people and posts that they name.
    Those for which clients have no word are left out."""
    accounts: dict[str, Any] = {}
    statuses: dict[str, Any] = {}
    groups = []
    for note in notes:
        people = note.named or ([note.post.author] if note.post else [])
        if not (word := type_of(note)) or not people:
            continue
        accounts |= {one.user_id: account_of(one, here) for one in people}
        status = status_of(note.post, here, viewer) if note.post else None
        if status:
            statuses[status["id"]] = status
        groups.append(
            {
                "group_key": note.place,
                "notifications_count": note.people,
                "type": word,
                "most_recent_notification_id": note.place,
                "page_min_id": note.place,
                "page_max_id": note.place,
                "latest_page_notification_at": moment(note.created),
                "sample_account_ids": [one.user_id for one in people],
                "status_id": status["id"] if status else None,
            }
        )
    return {
        "accounts": list(accounts.values()),
        "statuses": list(statuses.values()),
        "notification_groups": groups,
    }


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

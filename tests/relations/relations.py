"""What tests about relations share: people befriended and locked, and what is between two."""

from datetime import timedelta

from accounts.people.viewer import Viewer
from accounts.profile.writes import save_privacy
from relations.friends.writes import accept_friend, request_friend
from relations.reads import Relationship, relationship_keys, relationship_of
from socialsite.clock import utc_now
from socialsite.table import fetch

ON, OFF = {"on": "1"}, {"on": "0"}
ACCEPT, DECLINE, WITHDRAW = ({"answer": word} for word in ("accept", "decline", "withdraw"))


def relationship(viewer: Viewer, other: Viewer) -> Relationship:
    """What the first sees between them and the second."""
    return relationship_of(viewer, other.user_id, fetch(relationship_keys(viewer, other.user_id)))


def befriend(one: Viewer, other: Viewer) -> None:
    request_friend(by=one, user_id=other.user_id)
    accept_friend(by=other, user_id=one.user_id)


def lock_older_posts(person: Viewer, *, locked: bool = True) -> None:
    """Makes the posts of until tomorrow posts for followers, or takes that back."""
    edge = utc_now() + timedelta(days=1) if locked else None
    save_privacy(
        by=person, locked=False, archived_before=edge, not_suggested=False, not_indexed=False
    )


def lock(person: Viewer, *, locked: bool = True) -> None:
    save_privacy(
        by=person, locked=locked, archived_before=None, not_suggested=False, not_indexed=False
    )

"""What the person and another one are to each other, as a relationship."""

from typing import Any

from accounts.people.cards import PersonCard
from relations.reads import Relationship


def relationship_of(person: PersonCard, found: Relationship) -> dict[str, Any]:
    """Returns what an app may know of the two. Of a block by the other it never learns: then nobody is found."""
    return {
        "id": person.user_id,
        "following": found.follows,
        "followed_by": found.is_followed,
        "showing_reblogs": True,
        "notifying": found.is_subscribed,
        "languages": None,
        "requested": found.asked_to_follow,
        "requested_by": False,
        "blocking": found.blocks,
        "blocked_by": False,
        "muting": found.mutes,
        "muting_notifications": found.mutes,
        "mute_expires_at": found.muted_until or None,
        "domain_blocking": False,
        "endorsed": False,
        "note": found.note,
        # The site's own words.
        "friend": found.is_friend,
        "favourite": found.is_favourite,
    }

"""What a person wants to be told, in `UserSettings.untold`: what they switched off, in fixed words."""

from collections.abc import Collection
from enum import StrEnum

from notifications.kinds import Kind


class Untold(StrEnum):
    """Something that a person switched off. The last two are about the people it comes from."""

    LIKES = "likes"
    REPOSTS = "reposts"
    REPLIES = "replies"
    MENTIONS = "mentions"
    FOLLOWS = "follows"
    REQUESTS = "requests"
    STRANGERS = "strangers"  # people whom they do not follow
    NEWCOMERS = "newcomers"  # people who signed up lately, and whom they do not follow


SWITCH_OF = {
    Kind.LIKE: Untold.LIKES,
    Kind.REPOST: Untold.REPOSTS,
    Kind.REPLY: Untold.REPLIES,
    Kind.QUOTE: Untold.REPLIES,
    Kind.MENTION: Untold.MENTIONS,
    Kind.FOLLOW: Untold.FOLLOWS,
    Kind.FOLLOW_REQUEST: Untold.REQUESTS,
    Kind.FRIEND_REQUEST: Untold.REQUESTS,
    Kind.FOLLOW_ACCEPTED: Untold.REQUESTS,
    Kind.FRIEND_ACCEPTED: Untold.REQUESTS,
}
NEW_FOR_DAYS = 7


def is_wanted(kind: Kind, untold: Collection[str]) -> bool:
    """Whether a person who switched off these wants to be told of this kind. Decisions about them are always told."""
    return kind == Kind.DECISION or SWITCH_OF[kind] not in untold

"""What a person does not want to be notified of, in `UserSettings.opted_out`, in fixed words."""

from collections.abc import Collection
from enum import StrEnum

from notifications.kinds import OF_CASES, Kind


class OptOut(StrEnum):
    """Something that a person switched off. The last two are about the people it comes from."""

    LIKES = "likes"
    REPOSTS = "reposts"
    REPLIES = "replies"
    MENTIONS = "mentions"
    FOLLOWS = "follows"
    REQUESTS = "requests"
    POSTS = "posts"  # of favourites, where they asked to be notified
    POLLS = "polls"  # that have ended
    CASES = "cases"  # that wait for a member of staff, also by letter
    STRANGERS = "strangers"  # people whom they do not follow
    NEWCOMERS = "newcomers"  # people who signed up lately, and whom they do not follow


OPT_OUT_OF = {
    Kind.LIKE: OptOut.LIKES,
    Kind.REPOST: OptOut.REPOSTS,
    Kind.REPLY: OptOut.REPLIES,
    Kind.QUOTE: OptOut.REPLIES,
    Kind.MENTION: OptOut.MENTIONS,
    Kind.FOLLOW: OptOut.FOLLOWS,
    Kind.FOLLOW_REQUEST: OptOut.REQUESTS,
    Kind.FRIEND_REQUEST: OptOut.REQUESTS,
    Kind.FOLLOW_ACCEPTED: OptOut.REQUESTS,
    Kind.FRIEND_ACCEPTED: OptOut.REQUESTS,
    Kind.POSTED: OptOut.POSTS,
    Kind.POLL_ENDED: OptOut.POLLS,
    **dict.fromkeys(OF_CASES, OptOut.CASES),
}
NEW_FOR_DAYS = 7


def is_wanted(kind: Kind, opted_out: Collection[str]) -> bool:
    """Whether a person who switched off these wants to be told of this kind. Decisions about them, and what became of
    their own posts, are always told."""
    return OPT_OUT_OF.get(kind) not in opted_out

"""The kinds of notifications, and those that a person does not want, in fixed words (`UserSettings.opted_out`)."""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum

from relations.models import RelationType

SUBJECT = 10  # characters of a subject's id: it only has to differ from the person's other new ones
SEVERAL = "*"  # the subject of likes when too many groups wait


class Kind(StrEnum):
    """The letter of a kind is the first of its groups' names. A format, once data exists, is never changed."""

    LIKE = "l"
    REPOST = "s"
    REPLY = "r"
    QUOTE = "t"
    MENTION = "m"
    FOLLOW = "f"
    FOLLOW_REQUEST = "q"
    FRIEND_REQUEST = "b"
    FOLLOW_ACCEPTED = "a"
    FRIEND_ACCEPTED = "c"
    POSTED = "p"  # by a favourite; its actors are the posts of one day
    POLL_ENDED = "e"  # of the person, or one in which they voted; its actor is the post
    UNPUBLISHED = "u"  # a scheduled post; its actor is the draft that it became
    DECISION = "d"  # of moderators; its actor is the action, as moderators are not named
    # To members of staff. Their actors stand for a case or an appeal, and name nobody.
    PASSED = "w"  # a case, by a colleague
    APPEALED = "g"  # an appeal against what another moderator decided
    WAITING = "o"  # a case for long; the subject is the tab in which it is


REQUESTS = {
    RelationType.FOLLOW_REQUEST: Kind.FOLLOW_REQUEST,
    RelationType.FRIEND_REQUEST: Kind.FRIEND_REQUEST,
}
ACCEPTED = {
    RelationType.FOLLOW_REQUEST: Kind.FOLLOW_ACCEPTED,
    RelationType.FRIEND_REQUEST: Kind.FRIEND_ACCEPTED,
}
# Their notifications show a whole post, which someone else wrote.
WHOLE_POSTS = frozenset({Kind.REPLY, Kind.QUOTE, Kind.MENTION})
# Their notifications name posts in the place of people, of one author.
OF_POSTS = frozenset({Kind.POSTED, Kind.POLL_ENDED})
# What happens in a conversation, of which people hear no more once they have left it.
IN_CONVERSATIONS = WHOLE_POSTS | {Kind.LIKE, Kind.REPOST, Kind.POLL_ENDED}
# To staff, about cases.
OF_CASES = frozenset({Kind.PASSED, Kind.APPEALED, Kind.WAITING})
# From nobody: of moderators, and of the site itself.
FROM_NOBODY = OF_CASES | {Kind.DECISION, Kind.UNPUBLISHED}
ABOUT_PEOPLE = frozenset(Kind) - WHOLE_POSTS - OF_POSTS - FROM_NOBODY - {Kind.LIKE, Kind.REPOST}


def group_of(kind: Kind, subject_id: str = "") -> str:
    """Returns the name of the group that a notification joins: its kind and the end of its subject's id. Follows have
    no subject, so all new followers are one group."""
    return f"{kind}{subject_id[-SUBJECT:]}"


def day_of_author(author_id: str, moment: datetime) -> str:
    """Returns the subject of the posts of one author and one day."""
    return f"{author_id[-7:]}{moment:%j}"


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

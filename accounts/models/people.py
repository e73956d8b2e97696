"""Items about people: who they are, their counts and their settings."""

from typing import Self

from pynamodb.attributes import (
    JSONAttribute,
    MapAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table import keys
from socialsite.table.item import Item

CROSSING, PULLED = "crossing", "pulled"  # states of `UserInfo.reading`


class UserInfo(Item, discriminator="UserInfo"):
    """Who a person is, as everyone sees it. It changes rarely and is read everywhere. Under 1 KB unless the bio is
    long.

    `mentions` holds the people the bio mentions (handle: id), as `find_mentioned` found them when it was saved.
    `avatar` and `header` name the files of their pictures (`accounts/profile_pictures.py`).
    `gender` is how they want to be spoken of, `locked` says that they decide who follows them, and `archived_before` is
    the id before which their posts are for followers only. `not_suggested` keeps them out of other people's
    suggestions, and `not_indexed` out of search engines. `limited_until`, `frozen_until` and `suspended_until` are
    moderators' restrictions, in force until that moment; `waiting` says that a moderator has not approved the sign-up
    yet, and `paused` that the person has hidden themselves until they come back. `closing` is the moment from which
    on the account is erased, as its owner asked (`privacy/erasure/`). `reading` is empty while their posts are
    fanned out, `crossing` while followers learn to pull them, and then `pulled`, for good
    (`feed/stream_handlers/cross_to_pull.py`).
    """

    user_id = UnicodeAttribute()
    handle = UnicodeAttribute()
    name = UnicodeAttribute()
    bio = UnicodeAttribute(attr_name="content", null=True)
    mentions = MapAttribute[str, str](null=True)
    avatar = UnicodeAttribute(attr_name="imageUrl", null=True)
    header = UnicodeAttribute(null=True)
    location = UnicodeAttribute(null=True)
    role = UnicodeAttribute(null=True)
    reading = UnicodeAttribute(null=True)
    gender = UnicodeAttribute(null=True)
    locked = UnicodeAttribute(null=True)
    archived_before = UnicodeAttribute(null=True)
    not_suggested = UnicodeAttribute(null=True)
    not_indexed = UnicodeAttribute(null=True)
    limited_until = UnicodeAttribute(null=True)
    frozen_until = UnicodeAttribute(null=True)
    suspended_until = UnicodeAttribute(null=True)
    waiting = UnicodeAttribute(null=True)
    paused = UnicodeAttribute(null=True)
    closing = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, handle: str, name: str, role: str | None = None) -> Self:
        key = keys.user_info(user_id)
        return cls(*key, user_id=user_id, handle=handle, name=name, role=role)


class UserCount(Item, discriminator="UserCount"):
    """A person's counts, apart from their texts because they change often (vertical partitioning). The user's
    transaction writes them, except for followers of widely followed people, which the stream worker counts
    (`Following.counted_by`).

    `closed` is how many of the `posts` are not for everyone. Other people see only the number of the rest. `pins` are
    the ids of the posts that the person keeps at the top of their page: it reads this item anyway, and alone.

    Posts that end by themselves are in none of these numbers. Each of them stands, with its moment (`ends.py`), in one
    of three sets: `ends` if it is for everyone, `closed_ends` if it is for some, `withheld_ends` if only its author
    sees it by a decision. Readers add those whose moment is still to come.
    """

    user_id = UnicodeAttribute()
    followers = NumberAttribute(attr_name="follower#", default=0)
    following = NumberAttribute(attr_name="following#", default=0)
    posts = NumberAttribute(attr_name="post#", default=0)
    closed = NumberAttribute(attr_name="closedpost#", default=0)
    friends = NumberAttribute(attr_name="friend#", default=0)
    pins = UnicodeSetAttribute(null=True)
    ends = UnicodeSetAttribute(null=True)
    closed_ends = UnicodeSetAttribute(null=True)
    withheld_ends = UnicodeSetAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.user_count(user_id), user_id=user_id)


class UserSettings(Item, discriminator="UserSettings"):
    """The settings that only the person's own pages and the stream worker read.

    `seen` is the last day they used the site. `pulled` holds the widely followed people whose posts are merged into
    their timeline on reading, and `merged` says up to which posts of theirs that was written into it
    (`feed/pulled/news.py`). `preferences` is read when they sign in (`socialsite/web/preferences.py`). `notice` says
    that they have an unread notice from moderators. `asked` is their reason for joining. `opted_out` holds what they do
    not want to be notified of (`notifications/choices.py`), `without_reposts` the people whose reposts they hide.
    `epoch` is a copy of the one in their Credentials, and `unconfirmed` says that they have no confirmed address yet.
    """

    user_id = UnicodeAttribute()
    seen = UnicodeAttribute()
    pulled = UnicodeSetAttribute(null=True)
    merged = UnicodeAttribute(null=True)
    preferences = UnicodeAttribute(null=True)
    hidden = UnicodeSetAttribute(null=True)
    notice = UnicodeAttribute(null=True)
    asked = UnicodeAttribute(null=True)
    opted_out = UnicodeSetAttribute(attr_name="untold", null=True)  # its name from before
    without_reposts = UnicodeSetAttribute(null=True)
    circles = JSONAttribute(null=True)  # their names by id (accounts/circles.py)
    folders = JSONAttribute(null=True)  # of saved posts: their names by id (feed/shelf/folders.py)
    former_handles = JSONAttribute(null=True)  # since when (accounts/handles/former.py)
    epoch = NumberAttribute(null=True)
    unconfirmed = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, seen: str, preferences: str | None = None) -> Self:
        key = keys.user_settings(user_id)
        return cls(*key, user_id=user_id, seen=seen, preferences=preferences)

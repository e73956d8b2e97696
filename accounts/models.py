"""Items about people: who they are and how they sign in. Shape and keys only.

Attribute names in the table follow the published model (`name`, `content`, `imageUrl`, `follower#` …).
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Self

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
    `gender` is how they want to be spoken of, `locked` says that they decide who follows them, and `archived_before` is
    the id before which their posts are for followers only. `not_suggested` keeps them out of other people's
    suggestions, and `not_indexed` out of search engines. `limited_until`, `frozen_until` and `suspended_until` are
    moderators' restrictions, in force until that moment; `waiting` says that a moderator has not approved the sign-up
    yet, and `paused` that the person has hidden themselves until they come back. `reading` is empty while their posts
    are fanned out, `crossing` while followers learn to pull them, and then `pulled`, for good
    (`feed/stream_handlers/cross_to_pull.py`).
    """

    user_id = UnicodeAttribute()
    handle = UnicodeAttribute()
    name = UnicodeAttribute()
    bio = UnicodeAttribute(attr_name="content", null=True)
    mentions = MapAttribute[str, str](null=True)
    avatar = UnicodeAttribute(attr_name="imageUrl", null=True)
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
    """

    user_id = UnicodeAttribute()
    followers = NumberAttribute(attr_name="follower#", default=0)
    following = NumberAttribute(attr_name="following#", default=0)
    posts = NumberAttribute(attr_name="post#", default=0)
    closed = NumberAttribute(attr_name="closedpost#", default=0)
    friends = NumberAttribute(attr_name="friend#", default=0)
    pins = UnicodeSetAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str) -> Self:
        return cls(*keys.user_count(user_id), user_id=user_id)


class UserSettings(Item, discriminator="UserSettings"):
    """The settings that only the person's own pages and the stream worker read.

    `seen` is the last day they used the site. `pulled` holds the widely followed people whose posts are merged into
    their timeline on reading. `preferences` is read when they sign in (`socialsite/web/preferences.py`). `notice` says
    that they have an unread notice from moderators. `asked` is their reason for joining. `opted_out` holds what they do
    not want to be notified of (`notifications/choices.py`), `without_reposts` the people whose reposts they hide.
    `epoch` is a copy of the one in their Credentials.
    """

    user_id = UnicodeAttribute()
    seen = UnicodeAttribute()
    pulled = UnicodeSetAttribute(null=True)
    preferences = UnicodeAttribute(null=True)
    hidden = UnicodeSetAttribute(null=True)
    notice = UnicodeAttribute(null=True)
    asked = UnicodeAttribute(null=True)
    opted_out = UnicodeSetAttribute(attr_name="untold", null=True)  # its name from before
    without_reposts = UnicodeSetAttribute(null=True)
    circles = JSONAttribute(null=True)  # their names by id (accounts/circles.py)
    folders = JSONAttribute(null=True)  # of saved posts: their names by id (feed/shelf/folders.py)
    epoch = NumberAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, seen: str, preferences: str | None = None) -> Self:
        key = keys.user_settings(user_id)
        return cls(*key, user_id=user_id, seen=seen, preferences=preferences)


class Bell(Item, discriminator="Bell"):
    """What waits for a person: read with every page, and changed often, so apart from their settings.

    `unseen` holds the groups of notifications that they have not seen, each with the place of its `Notification` and
    the number of its last change (`<place>.<number>`). `asking` holds the requests that wait for their answer.
    `changes` numbers the changes. Only the stream worker adds to it (`notifications/`); reading takes groups away.
    """

    user_id = UnicodeAttribute()
    unseen = MapAttribute[str, str](default=dict)
    asking = UnicodeSetAttribute(null=True)
    changes = NumberAttribute(default=0)

    @classmethod
    def new(
        cls, *, user_id: str, unseen: Mapping[str, str], asking: Collection[str], changes: int
    ) -> Self:
        return cls(
            *keys.bell(user_id),
            user_id=user_id,
            unseen=dict(unseen),
            asking=set(asking) or None,
            changes=changes,
        )


def unseen_group(group: str) -> Any:
    """Returns the value of one group in `Bell.unseen`, to be changed or compared on its own."""
    return Bell.unseen[group]


class Credentials(Item, discriminator="Credentials"):
    """What signing in needs. It is never read with a profile. The email address is encrypted, and so is `totp`, the key
    of two-step verification. `totp_step` is the last time step whose code was accepted, and `recovery` holds hashes of
    the recovery codes. `epoch` numbers the times that all earlier sign-ins ended: it stands beside the password, so
    that both are read at the same moment."""

    user_id = UnicodeAttribute()
    password = UnicodeAttribute()
    email = UnicodeAttribute()
    totp = UnicodeAttribute(null=True)
    totp_step = NumberAttribute(null=True)
    recovery = UnicodeSetAttribute(null=True)
    epoch = NumberAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, password: str, email: str) -> Self:
        return cls(*keys.credentials(user_id), user_id=user_id, password=password, email=email)


class SignIn(Item, discriminator="SignIn"):
    """One signed-in browser. Its cookie holds a secret, and this item only the secret's hash.

    `proved_at` is when the person last confirmed their identity here. `proved_with` says whether they also used a code.
    A sign-in is over once the account's `epoch` is another.
    """

    user_id = UnicodeAttribute()
    secret_hash = UnicodeAttribute()
    browser = UnicodeAttribute()
    seen = UnicodeAttribute()
    proved_at = UnicodeAttribute(null=True)
    proved_with = UnicodeAttribute(null=True)
    epoch = NumberAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        secret_hash: str,
        browser: str,
        seen: str,
        ttl: datetime,
        epoch: int,
    ) -> Self:
        return cls(
            *keys.sign_in(user_id, secret_hash),
            user_id=user_id,
            secret_hash=secret_hash,
            browser=browser,
            seen=seen,
            ttl=ttl,
            epoch=epoch or None,
        )


class HandleClaim(Item, discriminator="HandleClaim"):
    """Makes a handle unique, and finds its person."""

    handle = UnicodeAttribute()
    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, handle: str, user_id: str) -> Self:
        return cls(*keys.handle_claim(handle), handle=handle, user_id=user_id)


class EmailClaim(Item, discriminator="EmailClaim"):
    """Makes an email address unique, and finds its person, without holding the address."""

    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, email_hmac: str, user_id: str) -> Self:
        return cls(*keys.email_claim(email_hmac), user_id=user_id)

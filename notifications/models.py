"""Notifications. Shape and keys only."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Self

from pynamodb.attributes import (
    BinaryAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from feed.posts.reads import Pointer
from socialsite.table import Item, keys
from socialsite.telling import Kind

NO_POST = Pointer("", "")
SUBJECT = 10  # characters of a subject's id: it only has to differ from the person's other new ones
KEPT_WITHOUT_PUSHER = timedelta(days=2)
SEVERAL = "*"  # the subject of likes when too many groups wait


def group_of(kind: Kind, subject_id: str = "") -> str:
    """Returns the name of the group that a notification joins: its kind and the end of its subject's id. Follows have
    no subject, so all new followers are one group."""
    return f"{kind.code}{subject_id[-SUBJECT:]}"


class Notification(Item, discriminator="Notification"):
    """One line of a person's notifications: the people who did the same to the same post, or to them; or the posts of a
    favourite in one day, which stand in the place of the people.

    `place` is its place in the list, `kind` the code of a `Kind`. `actors` holds at most 8 of `people`, who are
    counted. A post it is about is named as a pointer names it. Only the worker writes it, by stream and clock. It
    expires after 90 days.
    """

    page = "/notifications"

    user_id = UnicodeAttribute()
    place = UnicodeAttribute()
    kind = UnicodeAttribute()
    actors = UnicodeSetAttribute()
    people = NumberAttribute()
    post_id = UnicodeAttribute(null=True)
    author_id = UnicodeAttribute(null=True)
    root_id = UnicodeAttribute(null=True)
    root_author_id = UnicodeAttribute(null=True)
    reply_to_author_id = UnicodeAttribute(null=True)
    quote_of = UnicodeAttribute(null=True)
    quote_of_author_id = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        place: str,
        kind: str,
        actors: Collection[str],
        people: int,
        pointer: Pointer = NO_POST,
        ttl: datetime,
    ) -> Self:
        about: dict[str, Any] = {name: value for name, value in pointer._asdict().items() if value}
        return cls(
            *keys.notification(user_id, place),
            user_id=user_id,
            place=place,
            kind=kind,
            actors=set(actors),
            people=people,
            ttl=ttl,
            **about,
        )


class PushSubscription(Item, discriminator="PushSubscription"):
    """One device of a person that is pushed to, as its browser gave it: where to, and with which keys to encrypt.

    `sealed` holds all three as JSON, sealed with the person's key. `device` is the hash of the address, `service` the
    push service that it belongs to. `session` is the sign-in that it ends with, `key_id` the key of the site that it
    was made for (`PushKey`). `browser` and `language` are those of the browser, `made` the day it was turned on. It
    expires 60 days after the last visit.

    That of an app has its name in `app`; `session` is then its token, with which it ends, and which is sealed as well.
    `alerts` are the words of what it wants to hear of, `policy` says by whom that must have been done.
    """

    user_id = UnicodeAttribute()
    device = UnicodeAttribute()
    sealed = BinaryAttribute(legacy_encoding=False)
    service = UnicodeAttribute()
    session = UnicodeAttribute()
    key_id = UnicodeAttribute()
    browser = UnicodeAttribute()
    language = UnicodeAttribute()
    made = UnicodeAttribute()
    app = UnicodeAttribute(null=True)
    alerts = UnicodeAttribute(null=True)
    policy = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        device: str,
        sealed: bytes,
        service: str,
        session: str,
        key_id: str,
        browser: str,
        language: str,
        made: str,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.push_subscription(user_id, device),
            user_id=user_id,
            device=device,
            sealed=sealed,
            service=service,
            session=session,
            key_id=key_id,
            browser=browser,
            language=language,
            made=made,
            ttl=ttl,
        )


class PushWork(Item, discriminator="PushWork"):
    """Someone is to be told by push at a moment of what waits for them by then. `about` is the newest kind of it, or
    what a test is called, `news_since` the moment from which on lines are new. With `device` only that one is tried
    again, after so many `tries`. It says nothing of what waits: that is read when it is sent. It expires after two
    days, where no pusher runs."""

    user_id = UnicodeAttribute()
    moment = UnicodeAttribute()
    news_since = UnicodeAttribute()
    about = UnicodeAttribute()
    device = UnicodeAttribute(null=True)
    tries = NumberAttribute(default=0)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        moment: datetime,
        since: datetime,
        about: str,
        device: str = "",
        tries: int = 0,
    ) -> Self:
        return cls(
            *keys.push(moment, user_id, device),
            user_id=user_id,
            moment=moment.isoformat(),
            news_since=since.isoformat(),
            about=about,
            device=device or None,
            tries=tries,
            ttl=moment + KEPT_WITHOUT_PUSHER,
        )


class PushKey(Item, discriminator="PushKey"):
    """The key that signs pushes (RFC 8292), encrypted with the site's key for its place: this table and this address.
    So a copy of the table elsewhere has none that fits, makes its own, and nobody's subscription is for that."""

    private = UnicodeAttribute()

    @classmethod
    def new(cls, *, place: str, private: str) -> Self:
        return cls(*keys.push_key(place), private=private)

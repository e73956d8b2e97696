"""Notifications. Shape and keys only."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from feed.posts.reads import Pointer
from socialsite.table import Item, keys
from socialsite.telling import Kind

NO_POST = Pointer("", "")
SUBJECT = 10  # characters of a subject's id: it only has to differ from the person's other new ones
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

"""What Explore shows to everyone alike: lists that the clock makes, none of which knows who reads it. Shape and keys
only."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import JSONAttribute, UnicodeAttribute

from socialsite.table import Item, Key


class Explored(Item, discriminator="Explored"):
    """A list of Explore, as it was made at `made_at`: the posts of a language that people like today, or the topics
    that many talk about now. Each of the `lines` is what the room that makes the list says of one place of it."""

    family = "timelines"
    page = "/explore"

    lines = JSONAttribute()
    made_at = UnicodeAttribute()

    @classmethod
    def new(cls, *, key: Key, lines: Sequence[Any], made_at: datetime, ttl: datetime) -> Self:
        return cls(*key, lines=list(lines), made_at=made_at.isoformat(timespec="seconds"), ttl=ttl)

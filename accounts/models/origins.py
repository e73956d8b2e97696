"""Items about where someone signed in from. Shape and keys only."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class Origin(Item, discriminator="Origin"):
    """Finds a person by a network or a browser that they signed in from, without holding either. `seen` is the day of
    the last time, and the `ttl` 90 days after it."""

    user_id = UnicodeAttribute()
    seen = UnicodeAttribute()

    @classmethod
    def new(cls, *, kind: str, hmac: str, user_id: str, seen: str, ttl: datetime) -> Self:
        return cls(*keys.origin(kind, hmac, user_id), user_id=user_id, seen=seen, ttl=ttl)


class OriginTrace(Item, discriminator="OriginTrace"):
    """In a person's own partition: what leads to an `Origin` of theirs."""

    user_id = UnicodeAttribute()
    kind = UnicodeAttribute()
    hmac = UnicodeAttribute()
    seen = UnicodeAttribute()

    @classmethod
    def new(cls, *, kind: str, hmac: str, user_id: str, seen: str, ttl: datetime) -> Self:
        return cls(
            *keys.origin_trace(user_id, kind, hmac),
            user_id=user_id,
            kind=kind,
            hmac=hmac,
            seen=seen,
            ttl=ttl,
        )

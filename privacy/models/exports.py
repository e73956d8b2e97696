"""The export of a person's data. Shape and keys only."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class Export(Item, discriminator="Export"):
    """The export that a person asked for last. It is there for a day, during which they can download it and ask for no
    other: from the moment they ask, and anew from the moment it is ready.

    `site`, `language` and `zone` are those of the browser in which they asked. `ready_at` and `size` (bytes) are
    missing while it is being made. `granted_to` is the sign-in that may download it until `granted_until`, and
    `used_proof` the proof of identity that opened that download, so that a proof opens one.
    """

    user_id = UnicodeAttribute()
    export_id = UnicodeAttribute()
    asked_at = UnicodeAttribute()
    site = UnicodeAttribute()
    language = UnicodeAttribute()
    zone = UnicodeAttribute()
    ready_at = UnicodeAttribute(null=True)
    size = NumberAttribute(null=True)
    granted_to = UnicodeAttribute(null=True)
    granted_until = UnicodeAttribute(null=True)
    used_proof = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        export_id: str,
        asked_at: str,
        site: str,
        language: str,
        zone: str,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.export(user_id),
            user_id=user_id,
            export_id=export_id,
            asked_at=asked_at,
            site=site,
            language=language,
            zone=zone,
            ttl=ttl,
        )

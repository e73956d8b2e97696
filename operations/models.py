"""What the site knows of its alarms. Shape and keys only."""

from typing import Self

from pynamodb.attributes import JSONAttribute, UnicodeAttribute

from socialsite.table import Item, keys


class AlarmState(Item, discriminator="AlarmState"):
    """Which alarms hold since when, and what was told (`operations/alarms/states.py`). `looked_at` is when a clock last
    looked, so that one of them does, and `letter_at` when the last letter was posted."""

    family = "machinery"
    page = "/operations/alarms"

    looked_at = UnicodeAttribute()
    letter_at = UnicodeAttribute(null=True)
    states = JSONAttribute(default=dict)
    unwritten = JSONAttribute(default=dict)

    @classmethod
    def new(cls, *, looked_at: str) -> Self:
        return cls(*keys.alarms(), looked_at=looked_at)

"""The audit log, the counts of days, and of posts that met a word filter. Shape and keys only."""

from datetime import datetime
from typing import Any, Self

from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class AuditHead(Item, discriminator="AuditHead"):
    """The end of the audit log: its last number and hash, and the months of its first and last entry."""

    number = NumberAttribute(default=0)
    hash = UnicodeAttribute(default="")
    first_month = UnicodeAttribute(null=True)
    month = UnicodeAttribute(null=True)


class AuditEntry(Item, discriminator="AuditEntry"):
    """One thing that a member of staff did. `hash` covers all of it and the hash before, `previous`."""

    number = NumberAttribute()
    at = UnicodeAttribute()
    moderator_id = UnicodeAttribute()
    action = UnicodeAttribute()
    case = UnicodeAttribute(null=True)
    person_id = UnicodeAttribute(null=True)
    detail = JSONAttribute(null=True)
    previous = UnicodeAttribute(default="")
    hash = UnicodeAttribute()

    @classmethod
    def new(cls, *, month: str, number: int, **attributes: Any) -> Self:
        return cls(*keys.audit_entry(month, number), number=number, **attributes)


class DayCount(Item, discriminator="DayCount"):
    """How often something happened on one day. Only the stream worker counts it. Created at 0 with the first event.
    Those of a word filter say how many posts met it, bear its id as their name, and expire."""

    day = UnicodeAttribute()
    name = UnicodeAttribute()
    times = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, day: str, name: str) -> Self:
        return cls(*keys.day_count(day, name), day=day, name=name)

    @classmethod
    def of_word(cls, *, rule_id: str, day: str, ttl: datetime) -> Self:
        return cls(*keys.word_hits_of_day(rule_id, day), day=day, name=rule_id, ttl=ttl)

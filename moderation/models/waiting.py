"""What waits in queues and on desks, counted. Shape and keys only."""

from typing import Self

from pynamodb.attributes import BooleanAttribute, JSONAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class WaitingCount(Item, discriminator="WaitingCount"):
    """The open cases of a queue, or of the desk of a moderator, as the clock counted them at `counted_at`. `place` is
    the queue's name or the moderator's id, `kinds` the cases of each kind, and `to_answer` counts each case as often as
    it has appeals. `opened` says when the counted cases were opened, in minutes after `oldest`."""

    place = UnicodeAttribute()
    cases = NumberAttribute(default=0)
    has_more = BooleanAttribute(default=False)
    to_answer = NumberAttribute(default=0)
    kinds = JSONAttribute(default=dict)
    oldest = UnicodeAttribute(null=True)
    opened = UnicodeAttribute(null=True)
    counted_at = UnicodeAttribute()

    @classmethod
    def new(cls, *, partition: str, place: str) -> Self:
        return cls(*keys.waiting_count(partition), place=place)

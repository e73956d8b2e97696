"""Items about accounts that were closed. Shape and keys only."""

from enum import StrEnum
from typing import Self

from pynamodb.attributes import JSONAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class State(StrEnum):
    """How far the erasure of a receipt is."""

    PLANNED = "planned"  # the account can still be kept
    BEGUN = "begun"
    ERASED = "erased"  # nobody finds anything of the person any more
    SEARCHED = "searched"  # the whole table and the archive were searched for what was left


class Receipt(Item, discriminator="Receipt"):
    """What was deleted with an account, for the person who left. It is found by an id that only they were shown, and
    holds nothing about them: how many items of each kind (`counts`), what the work cost, and what stays for how long
    (`kept`: kind and end). It expires a year later."""

    receipt_id = UnicodeAttribute()
    state = UnicodeAttribute()
    asked_at = UnicodeAttribute()
    closing = UnicodeAttribute()
    erased_at = UnicodeAttribute(null=True)
    searched_at = UnicodeAttribute(null=True)
    counts = JSONAttribute(null=True)
    kept = JSONAttribute(null=True)
    reads = NumberAttribute(default=0)
    writes = NumberAttribute(default=0)

    @classmethod
    def new(cls, *, receipt_id: str, asked_at: str, closing: str) -> Self:
        return cls(
            *keys.receipt(receipt_id),
            receipt_id=receipt_id,
            state=State.PLANNED,
            asked_at=asked_at,
            closing=closing,
        )


class Erasure(Item, discriminator="Erasure"):
    """A person whose erasure has begun, until the whole table was searched for their id, a day after `erased_at`."""

    user_id = UnicodeAttribute()
    receipt_id = UnicodeAttribute()
    erased_at = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, receipt_id: str) -> Self:
        return cls(*keys.erasure(user_id), user_id=user_id, receipt_id=receipt_id)

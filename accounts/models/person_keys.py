"""The item of a person's data key."""

from typing import Self

from pynamodb.attributes import BinaryAttribute, NumberAttribute, UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class PersonKey(Item, discriminator="PersonKey"):
    """The key that seals a person's private values, wrapped by the master key with the id `master`.

    Values that it sealed carry its `generation`. All keys are listed in a few partitions, so that they can be wrapped
    again without looking through the table.
    """

    user_id = UnicodeAttribute()
    wrapped = BinaryAttribute(legacy_encoding=False)
    master = UnicodeAttribute()
    generation = NumberAttribute()

    @classmethod
    def new(cls, *, user_id: str, wrapped: bytes, master: str, generation: int) -> Self:
        return cls(
            *keys.person_key(user_id),
            user_id=user_id,
            wrapped=wrapped,
            master=master,
            generation=generation,
        )

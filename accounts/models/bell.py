"""The item that says what waits for a person."""

from collections.abc import Collection, Mapping
from typing import Any, Self

from pynamodb.attributes import MapAttribute, NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class Bell(Item, discriminator="Bell"):
    """What waits for a person: read with every page, and changed often, so apart from their settings.

    `unseen` holds the groups of notifications that they have not seen, each with the place of its `Notification` and
    the number of its last change (`<place>.<number>`). `asking` holds the requests that wait for their answer.
    `changes` numbers the changes. Only the worker adds to it, by stream and clock (`notifications/`); reading takes
    groups away.
    """

    user_id = UnicodeAttribute()
    unseen = MapAttribute[str, str](default=dict)
    asking = UnicodeSetAttribute(null=True)
    changes = NumberAttribute(default=0)

    @classmethod
    def new(
        cls, *, user_id: str, unseen: Mapping[str, str], asking: Collection[str], changes: int
    ) -> Self:
        return cls(
            *keys.bell(user_id),
            user_id=user_id,
            unseen=dict(unseen),
            asking=set(asking) or None,
            changes=changes,
        )


def unseen_group(group: str) -> Any:
    """Returns the value of one group in `Bell.unseen`, to be changed or compared on its own."""
    return Bell.unseen[group]

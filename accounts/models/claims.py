"""Items that make a name unique, and find its person."""

from typing import Self

from pynamodb.attributes import UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class HandleClaim(Item, discriminator="HandleClaim"):
    """Makes a handle unique, and finds its person."""

    handle = UnicodeAttribute()
    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, handle: str, user_id: str) -> Self:
        return cls(*keys.handle_claim(handle), handle=handle, user_id=user_id)


class EmailClaim(Item, discriminator="EmailClaim"):
    """Makes an email address unique, and finds its person, without holding the address."""

    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, email_hmac: str, user_id: str) -> Self:
        return cls(*keys.email_claim(email_hmac), user_id=user_id)

"""Items that make a name unique, and find its person."""

from typing import Self

from pynamodb.attributes import UnicodeAttribute

from socialsite.table import keys
from socialsite.table.item import Item


class HandleClaim(Item, discriminator="HandleClaim"):
    """Makes a handle unique, and finds its person.

    `former` is the moment at which the person took another handle. From then on the claim has a `ttl`, and nobody else
    can take the handle until it has passed. A former claim without a person keeps the handle of someone who was erased:
    it finds nobody, and is not free either.
    """

    handle = UnicodeAttribute()
    user_id = UnicodeAttribute(null=True)
    former = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, handle: str, user_id: str) -> Self:
        return cls(*keys.handle_claim(handle), handle=handle, user_id=user_id)


class DomainEntry(Item, discriminator="DomainEntry"):
    """Finds a person by the domain of their confirmed email address, for staff, without holding the domain. It comes
    with the claim of the address, and goes when the person has another address or none."""

    user_id = UnicodeAttribute()

    @classmethod
    def new(cls, *, domain_hmac: str, user_id: str) -> Self:
        return cls(*keys.domain_entry(domain_hmac, user_id), user_id=user_id)


class EmailClaim(Item, discriminator="EmailClaim"):
    """Makes a confirmed email address unique, and finds its person, without holding the address.

    After a change of address, the claim of the old one gets a `ttl`: until then it is kept for the undo, finds nobody,
    and is nobody else's. One without a person bars the address of someone who was erased while they were suspended,
    until its `ttl`.
    """

    user_id = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, email_hmac: str, user_id: str) -> Self:
        return cls(*keys.email_claim(email_hmac), user_id=user_id)

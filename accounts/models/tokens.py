"""The item behind a link in a letter."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from accounts.encryption.sealed_attribute import SealedAttribute
from socialsite.table import keys
from socialsite.table.item import Item


class Token(Item, discriminator="Token"):
    """What a link in a letter may do, once. The link holds a secret, and this item only the secret's hash.

    `purpose` is the one thing it may do, for the account `user_id`, and `epoch` the account's at that moment. `used`
    says that it was done: the item stays until its `ttl`, so that a letter which is sent again cannot bring it back.
    To confirm an address, `email_hmac` says which. To undo a change of address, `former_email` is the one before,
    sealed as in Credentials, and `factor` the stamp of the two-step verification of that moment.
    """

    purpose = UnicodeAttribute()
    user_id = UnicodeAttribute()
    epoch = NumberAttribute(null=True)
    used = UnicodeAttribute(null=True)
    email_hmac = UnicodeAttribute(null=True)
    former_email = SealedAttribute(null=True)
    factor = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls, *, secret_hash: str, purpose: str, user_id: str, epoch: int, ttl: datetime
    ) -> Self:
        return cls(
            *keys.token(secret_hash),
            purpose=purpose,
            user_id=user_id,
            epoch=epoch or None,
            ttl=ttl,
        )

"""Items about signing in: what it needs, and where someone is signed in."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from accounts.encryption.sealed_attribute import Sealed, SealedAttribute
from socialsite.table import keys
from socialsite.table.item import Item


class Credentials(Item, discriminator="Credentials"):
    """What signing in needs. It is never read with a profile. The email address is sealed with the person's key, and so
    is `totp`, the key of two-step verification. `totp_step` is the last time step whose code was accepted, and
    `recovery` holds hashes of the recovery codes. `epoch` numbers the times that all earlier sign-ins ended: it stands
    beside the password, so that both are read at the same moment. `user_handle` is the account's random name in
    passkeys, and `passkeys` is how many of them it has. `receipt` leads to the receipt of a closing account.

    `email` is missing until the person has confirmed one. `wished_email` waits for that, and is sealed as if it stood
    there. `undo_until` is the moment until which the last change of address can be undone."""

    user_id = UnicodeAttribute()
    password = UnicodeAttribute()
    email = SealedAttribute(null=True)
    wished_email = SealedAttribute(null=True)
    undo_until = UnicodeAttribute(null=True)
    totp = SealedAttribute(null=True)
    totp_step = NumberAttribute(null=True)
    recovery = UnicodeSetAttribute(null=True)
    epoch = NumberAttribute(null=True)
    user_handle = UnicodeAttribute(null=True)
    passkeys = NumberAttribute(null=True)
    receipt = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, *, user_id: str, password: str, email: Sealed, confirmed: bool = True) -> Self:
        return cls(
            *keys.credentials(user_id),
            user_id=user_id,
            password=password,
            email=email if confirmed else None,
            wished_email=None if confirmed else email,
        )


class SignIn(Item, discriminator="SignIn"):
    """One signed-in browser. Its cookie holds a secret, and this item only the secret's hash.

    `proved_at` is when the person last confirmed their identity here. `proved_with` says whether they also used a code.
    A sign-in is over once the account's `epoch` is another.
    """

    user_id = UnicodeAttribute()
    secret_hash = UnicodeAttribute()
    browser = UnicodeAttribute()
    seen = UnicodeAttribute()
    proved_at = UnicodeAttribute(null=True)
    proved_with = UnicodeAttribute(null=True)
    epoch = NumberAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        secret_hash: str,
        browser: str,
        seen: str,
        ttl: datetime,
        epoch: int,
    ) -> Self:
        return cls(
            *keys.sign_in(user_id, secret_hash),
            user_id=user_id,
            secret_hash=secret_hash,
            browser=browser,
            seen=seen,
            ttl=ttl,
            epoch=epoch or None,
        )

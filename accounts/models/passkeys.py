"""Items of passkeys: the key itself, the claim that finds its person, and the challenges that were answered."""

from datetime import datetime
from typing import Self

from pynamodb.attributes import (
    BooleanAttribute,
    NumberAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)

from socialsite.table import keys
from socialsite.table.item import Item


class Passkey(Item, discriminator="Passkey"):
    """One passkey of a person: the public half of a key whose other half never leaves their device or password
    manager.

    `credential_id` and `public_key` are base64url. `counter` is how often the authenticator says that it was used,
    and stays 0 if it does not count. `aaguid` names its make, `transports` the ways to reach it. `backed_up` says that
    it is synced to other devices. `name` is the person's own word for it.
    """

    user_id = UnicodeAttribute()
    credential_hash = UnicodeAttribute()
    credential_id = UnicodeAttribute()
    public_key = UnicodeAttribute()
    counter = NumberAttribute()
    transports = UnicodeSetAttribute(null=True)
    aaguid = UnicodeAttribute()
    backed_up = BooleanAttribute()
    name = UnicodeAttribute()
    created = UnicodeAttribute()
    used = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        user_id: str,
        credential_hash: str,
        credential_id: str,
        public_key: str,
        counter: int,
        transports: set[str],
        aaguid: str,
        backed_up: bool,
        name: str,
        created: str,
    ) -> Self:
        return cls(
            *keys.passkey(user_id, credential_hash),
            user_id=user_id,
            credential_hash=credential_hash,
            credential_id=credential_id,
            public_key=public_key,
            counter=counter,
            transports=transports or None,
            aaguid=aaguid,
            backed_up=backed_up,
            name=name,
            created=created,
        )


class PasskeyClaim(Item, discriminator="PasskeyClaim"):
    """Makes a passkey unique, and finds its person, who need not say their name to sign in."""

    user_id = UnicodeAttribute()
    credential_hash = UnicodeAttribute()

    @classmethod
    def new(cls, *, credential_hash: str, user_id: str) -> Self:
        key = keys.passkey_claim(credential_hash)
        return cls(*key, credential_hash=credential_hash, user_id=user_id)


class UsedChallenge(Item, discriminator="UsedChallenge"):
    """A challenge that a passkey answered, so that the same answer does nothing a second time. `use` is random: it
    tells two uses within a second apart."""

    use = UnicodeAttribute()

    @classmethod
    def new(cls, *, challenge_hash: str, use: str, ttl: datetime) -> Self:
        return cls(*keys.used_challenge(challenge_hash), use=use, ttl=ttl)

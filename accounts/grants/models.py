"""Apps and what people allow them (`access/`). Only hashes of secrets are stored. Shape and keys only."""

from collections.abc import Collection
from datetime import datetime
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute, UnicodeSetAttribute

from socialsite.table import Item, keys


class App(Item, discriminator="App"):
    """A program that was registered. Nobody checks that it is what it calls itself.

    `redirects` are the addresses to which a code may be sent, compared whole. `scopes` is the most that it may ask for.
    Its `ttl` goes on while someone uses it.
    """

    client_id = UnicodeAttribute()
    secret_hash = UnicodeAttribute()
    name = UnicodeAttribute()
    website = UnicodeAttribute(null=True)
    redirects = UnicodeSetAttribute()
    scopes = UnicodeAttribute()

    @classmethod
    def new(
        cls,
        *,
        client_id: str,
        secret_hash: str,
        name: str,
        website: str,
        redirects: Collection[str],
        scopes: str,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.app(client_id),
            client_id=client_id,
            secret_hash=secret_hash,
            name=name,
            website=website or None,
            redirects=set(redirects),
            scopes=scopes,
            ttl=ttl,
        )


class AppCode(Item, discriminator="AppCode"):
    """What someone just allowed an app, until it comes for its token with the code. Once it did, `token_hash` says
    which token that is: a code that comes a second time has been copied, and ends that token.

    `epoch` is that of the account when it was allowed (`accounts/sessions.py`). `challenge` is what the app must have
    the answer to (PKCE).
    """

    code_hash = UnicodeAttribute()
    user_id = UnicodeAttribute()
    client_id = UnicodeAttribute()
    name = UnicodeAttribute()
    website = UnicodeAttribute(null=True)
    redirect = UnicodeAttribute()
    scopes = UnicodeAttribute()
    challenge = UnicodeAttribute(null=True)
    epoch = NumberAttribute(null=True)
    token_hash = UnicodeAttribute(null=True)

    @classmethod
    def new(
        cls,
        *,
        code_hash: str,
        user_id: str,
        client_id: str,
        name: str,
        website: str,
        redirect: str,
        scopes: str,
        challenge: str,
        epoch: int,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.app_code(code_hash),
            code_hash=code_hash,
            user_id=user_id,
            client_id=client_id,
            name=name,
            website=website or None,
            redirect=redirect,
            scopes=scopes,
            challenge=challenge or None,
            epoch=epoch or None,
            ttl=ttl,
        )


OWN = "own"  # in place of an app's id: the person's own program


class AppToken(Item, discriminator="AppToken"):
    """An app that acts for a person, among the places where they are signed in. Its token names the person and holds a
    secret, and this item only the secret's hash. It is over once the account's `epoch` is another, as a `SignIn` is.

    What the person made themselves for a program of theirs (`own_tokens/`) is of `OWN`, may have an end, and has no day
    in `seen` until it is used. `push_device` is how the app is pushed to (`notifications/push/apps.py`).
    """

    user_id = UnicodeAttribute()
    secret_hash = UnicodeAttribute()
    client_id = UnicodeAttribute()
    name = UnicodeAttribute()
    website = UnicodeAttribute(null=True)
    scopes = UnicodeAttribute()
    made = UnicodeAttribute()
    seen = UnicodeAttribute()
    epoch = NumberAttribute(null=True)
    ends_at = UnicodeAttribute(null=True)
    push_device = UnicodeAttribute(null=True)

    @classmethod
    def new(cls, code: AppCode, *, secret_hash: str, made: str, seen: str, ttl: datetime) -> Self:
        return cls(
            *keys.app_token(code.user_id, secret_hash),
            user_id=code.user_id,
            secret_hash=secret_hash,
            client_id=code.client_id,
            name=code.name,
            website=code.website,
            scopes=code.scopes,
            made=made,
            seen=seen,
            epoch=code.epoch,
            ttl=ttl,
        )

    @classmethod
    def own(
        cls,
        *,
        user_id: str,
        secret_hash: str,
        name: str,
        scopes: str,
        made: str,
        ends_at: str,
        epoch: int,
        ttl: datetime,
    ) -> Self:
        return cls(
            *keys.app_token(user_id, secret_hash),
            user_id=user_id,
            secret_hash=secret_hash,
            client_id=OWN,
            name=name,
            scopes=scopes,
            made=made,
            seen="",
            ends_at=ends_at or None,
            epoch=epoch or None,
            ttl=ttl,
        )

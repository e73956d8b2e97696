"""Master keys: they wrap people's data keys, and never leave their place.

A wrapped key can be unwrapped only with the context that it was wrapped with: the scope and the person. A master key
has an id, which stands beside each key that it wrapped, so that several can be in use while one replaces another. Only
those that the settings name are used: an item cannot choose another.
"""

import json
import os
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from accounts.encryption.kms import PREFIX, Context, KmsMaster, kms_masters
from accounts.encryption.sealed_values import NONCE, SCOPE, SECRET
from socialsite.data_keys import DataKey, current_key, data_keys


class Master(Protocol):
    """One master key."""

    @property
    def id(self) -> str: ...

    def new_secret(self, context: Context) -> tuple[bytes, bytes]:
        """Returns 32 new random bytes, and the same wrapped."""

    def wrap(self, secret: bytes, context: Context) -> bytes: ...

    def unwrap(self, wrapped: bytes, context: Context) -> bytes:
        """Raises `cryptography.exceptions.InvalidTag` if this is not what was wrapped with this key and context."""


class LocalMaster:
    """A master key that is derived from a `DATA_KEY`, and used in this process. A wrapped key has 60 bytes."""

    def __init__(self, data_key: DataKey) -> None:
        self.id = f"data-key:{data_key.id}"
        self._cipher = AESGCM(data_key.secret("person keys"))

    def new_secret(self, context: Context) -> tuple[bytes, bytes]:
        secret = os.urandom(SECRET)
        return secret, self.wrap(secret, context)

    def wrap(self, secret: bytes, context: Context) -> bytes:
        nonce = os.urandom(NONCE)
        return nonce + self._cipher.encrypt(nonce, secret, _authenticated(context))

    def unwrap(self, wrapped: bytes, context: Context) -> bytes:
        return self._cipher.decrypt(wrapped[:NONCE], wrapped[NONCE:], _authenticated(context))


def current_master() -> Master:
    """Returns the master key that wraps new keys: that of `KMS_KEY_ID`, else one derived from `DATA_KEY`."""
    return kms_masters()[0] if settings.KMS_KEY_ID else LocalMaster(current_key())


def master_of(master_id: str) -> Master:
    """Returns the master key of this id. Raises `cryptography.exceptions.InvalidTag` if the settings have none."""
    known: list[Master] = [*kms_masters()]
    if not master_id.startswith(PREFIX):
        known = [LocalMaster(data_key) for data_key in data_keys()]
    for master in known:
        if master.id == master_id:
            return master
    raise InvalidTag(f"no master key {master_id}")


def rewrapped(wrapped: bytes, context: Context, *, earlier: Master, master: Master) -> bytes:
    """Returns what an earlier master key wrapped, wrapped with this one. Between two keys of KMS no process sees what
    they wrap."""
    if isinstance(master, KmsMaster) and isinstance(earlier, KmsMaster):
        return master.rewrap_within_kms(wrapped, context, earlier=earlier)
    return master.wrap(earlier.unwrap(wrapped, context), context)


def context_of(user_id: str) -> Context:
    return {"scope": SCOPE, "person": user_id}


def _authenticated(context: Context) -> bytes:
    return json.dumps(context, sort_keys=True).encode()

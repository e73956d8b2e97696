"""The keys for encrypted values and keyed hashes in the table: `DATA_KEY`, and earlier keys while they are replaced.

Each use has its own secret, derived from the key. `docs/settings.md` says how to replace keys.
"""

import hashlib
import hmac
from dataclasses import dataclass, field
from functools import cached_property

from django.conf import settings

ID_LENGTH = 8  # hexadecimal digits, enough to tell a handful of keys apart


@dataclass(frozen=True)
class DataKey:
    """One key. Values made with it carry its `id`, which reveals nothing about the key."""

    text: str = field(repr=False)

    @cached_property
    def id(self) -> str:
        return self.secret("key id").hex()[:ID_LENGTH]

    def secret(self, purpose: str) -> bytes:
        """Returns the 32 bytes for one purpose."""
        return hmac.new(self.text.encode(), purpose.encode(), hashlib.sha256).digest()


def current_key() -> DataKey:
    return DataKey(settings.DATA_KEY)


def current_key_ids() -> set[str]:
    """Returns the ids of the keys with which values are encrypted from now on, and of the KMS keys that wrap keys."""
    of_kms = settings.KMS_KEY_ID, settings.KMS_KEY_OF_STAFF
    return {current_key().id, *filter(None, of_kms)}


def known_key_ids() -> set[str]:
    """Returns the ids of all keys of the settings."""
    return {*current_key_ids(), *(key.id for key in data_keys()), *settings.KMS_KEY_FALLBACKS}


def data_keys() -> list[DataKey]:
    """Returns all keys of the settings, the current one first."""
    return [current_key(), *(DataKey(text) for text in settings.DATA_KEY_FALLBACKS)]

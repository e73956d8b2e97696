"""The keys of what the table keeps encrypted or as keyed hashes: `DATA_KEY`, and earlier ones while they are replaced.

Each use has a secret of its own, derived from the key. How keys are replaced is in `docs/settings.md`.
"""

import hashlib
import hmac
from dataclasses import dataclass, field
from functools import cached_property

from django.conf import settings

ID_LENGTH = 8  # hexadecimal digits, enough to tell a handful of keys apart


@dataclass(frozen=True)
class DataKey:
    """One key. Its `id` stands in the table with what was made with it, and tells nothing about the key."""

    text: str = field(repr=False)

    @cached_property
    def id(self) -> str:
        return self.secret("key id").hex()[:ID_LENGTH]

    def secret(self, purpose: str) -> bytes:
        """Returns the 32 bytes that serve one purpose."""
        return hmac.new(self.text.encode(), purpose.encode(), hashlib.sha256).digest()


def current_key() -> DataKey:
    return DataKey(settings.DATA_KEY)


def data_keys() -> list[DataKey]:
    """Returns all keys of the settings, the current one first."""
    return [current_key(), *(DataKey(text) for text in settings.DATA_KEY_FALLBACKS)]

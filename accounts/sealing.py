"""Texts that the table keeps encrypted, each for the place where it stands, so that a copy elsewhere does not decrypt.

What is found by a keyed hash and not read again (e-mail addresses, recovery codes) uses `keyed_hash`.
"""

import base64
import hashlib
import hmac
import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

from socialsite.table.keys import Key

NONCE_BYTES = 12


def seal(text: str, *, purpose: str, key: Key, attribute: str) -> str:
    nonce = os.urandom(NONCE_BYTES)
    cipher = AESGCM(_secret(f"{purpose} encryption"))
    return base64.b64encode(
        nonce + cipher.encrypt(nonce, text.encode(), _place(key, attribute))
    ).decode()


def unseal(sealed: str, *, purpose: str, key: Key, attribute: str) -> str:
    """Raises `cryptography.exceptions.InvalidTag` if it was altered or sealed for another place."""
    raw = base64.b64decode(sealed)
    nonce, text = raw[:NONCE_BYTES], raw[NONCE_BYTES:]
    cipher = AESGCM(_secret(f"{purpose} encryption"))
    return cipher.decrypt(nonce, text, _place(key, attribute)).decode()


def keyed_hash(text: str, *, purpose: str) -> str:
    return hmac.new(_secret(f"{purpose} look-up"), text.encode(), hashlib.sha256).hexdigest()


def _place(key: Key, attribute: str) -> bytes:
    return "|".join([*key, attribute]).encode()


def _secret(purpose: str) -> bytes:
    return hmac.new(settings.DATA_KEY.encode(), purpose.encode(), hashlib.sha256).digest()

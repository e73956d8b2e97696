"""Texts that are encrypted with a key of the site. Each is bound to its place, so a copy elsewhere cannot be decrypted.

People's private values are sealed with a key of their own (`person_keys.py`); those from before that are such texts.

An encrypted text is `<version>:<key id>:<base64 of nonce and ciphertext>`. Version 1 uses a key of the site. A text
without a version is from before keys could be replaced. Values that are only looked up (email addresses, recovery
codes) are keyed hashes.
"""

import base64
import hashlib
import hmac
import json
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from socialsite.data_keys import DataKey, current_key, data_keys
from socialsite.table.keys import Key

VERSION = "1"
NONCE_BYTES = 12


def encrypt(text: str, *, purpose: str, key: Key, attribute: str) -> str:
    """Encrypts the text with the current key."""
    data_key = current_key()
    nonce = os.urandom(NONCE_BYTES)
    place = _place(_head(data_key), key, attribute)
    encrypted = nonce + _cipher(data_key, purpose).encrypt(nonce, text.encode(), place)
    return f"{_head(data_key)}:{base64.b64encode(encrypted).decode()}"


def decrypt(encrypted: str, *, purpose: str, key: Key, attribute: str) -> str:
    """Decrypts the text with whichever key of the settings encrypted it.

    Raises `cryptography.exceptions.InvalidTag` if it was altered, encrypted for another place, or no key fits.
    """
    head, _, text = encrypted.rpartition(":")
    raw, place = base64.b64decode(text), _place(head, key, attribute)
    for data_key in data_keys():
        if head in ("", _head(data_key)):
            try:
                cipher = _cipher(data_key, purpose)
                return cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], place).decode()
            except InvalidTag:
                continue
    raise InvalidTag(f"no key for {attribute} of {key}")


def is_current(encrypted: str) -> bool:
    """Whether the text is encrypted with the current key."""
    return encrypted.startswith(f"{_head(current_key())}:")


def is_readable(encrypted: str) -> bool:
    """Whether the settings have the key that encrypted the text."""
    return encrypted.rpartition(":")[0] in ("", *(_head(data_key) for data_key in data_keys()))


def keyed_hashes(text: str, *, purpose: str) -> list[str]:
    """Returns the hash under each key of the settings, the current one first."""
    return [hash_with(data_key.secret(f"{purpose} look-up"), text) for data_key in data_keys()]


def hash_with(secret: bytes, text: str) -> str:
    return hmac.new(secret, text.encode(), hashlib.sha256).hexdigest()


def _head(data_key: DataKey) -> str:
    return f"{VERSION}:{data_key.id}"


def _place(head: str, key: Key, attribute: str) -> bytes:
    if not head:  # from before keys could be replaced
        return "|".join([*key, attribute]).encode()
    return json.dumps([head, *key, attribute]).encode()


def _cipher(data_key: DataKey, purpose: str) -> AESGCM:
    return AESGCM(data_key.secret(f"{purpose} encryption"))

"""Texts that the table keeps encrypted, each for the place where it stands, so that a copy elsewhere does not decrypt.

A sealed text is `<version>:<key id>:<base64 of nonce and ciphertext>`. Version 1 uses a key of the site; those without
a version are from before keys could be replaced. What is found by a keyed hash and not read again (email addresses,
recovery codes) is a keyed hash.
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


def seal(text: str, *, purpose: str, key: Key, attribute: str) -> str:
    """Encrypts the text with the current key."""
    data_key = current_key()
    nonce = os.urandom(NONCE_BYTES)
    place = _place(_head(data_key), key, attribute)
    sealed = nonce + _cipher(data_key, purpose).encrypt(nonce, text.encode(), place)
    return f"{_head(data_key)}:{base64.b64encode(sealed).decode()}"


def unseal(sealed: str, *, purpose: str, key: Key, attribute: str) -> str:
    """Decrypts the text with whichever key of the settings sealed it.

    Raises `cryptography.exceptions.InvalidTag` if it was altered, sealed for another place, or no key fits.
    """
    head, _, text = sealed.rpartition(":")
    raw, place = base64.b64decode(text), _place(head, key, attribute)
    for data_key in data_keys():
        if head in ("", _head(data_key)):
            try:
                cipher = _cipher(data_key, purpose)
                return cipher.decrypt(raw[:NONCE_BYTES], raw[NONCE_BYTES:], place).decode()
            except InvalidTag:
                continue
    raise InvalidTag(f"no key for {attribute} of {key}")


def is_current(sealed: str) -> bool:
    """Whether the text is sealed with the current key."""
    return sealed.startswith(f"{_head(current_key())}:")


def is_readable(sealed: str) -> bool:
    """Whether the settings have the key that sealed the text."""
    return sealed.rpartition(":")[0] in ("", *(_head(data_key) for data_key in data_keys()))


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

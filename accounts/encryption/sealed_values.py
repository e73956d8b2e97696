"""Values that are sealed with a person's data key. Each is bound to its place, so a copy elsewhere cannot be read.

A sealed value is binary: `version | generation of the key | nonce of 12 bytes | ciphertext and tag`. Older values are
strings, so the type of a value tells its scheme (`encrypted_text.py`). AES-GCM authenticates the place with it: the
partition key, the sort key and the attribute, but not the name of the table, because a restored table has a new name.
"""

import json
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from socialsite.table.keys import Key

SCOPE = "socialsite"  # the same in every table of every site
VERSION = 2  # version 1 is `encrypted_text.py`
HEAD = 2  # bytes
NONCE = 12
SECRET = 32


def cipher_for(secret: bytes, use: str) -> AESGCM:
    """Returns the cipher for one use of a person's key."""
    derived = HKDF(hashes.SHA256(), length=SECRET, salt=None, info=use.encode()).derive(secret)
    return AESGCM(derived)


def seal(text: str, *, cipher: AESGCM, generation: int, key: Key, attribute: str) -> bytes:
    """Seals the text for this attribute of the item at `key`. 30 bytes longer than the text."""
    nonce = os.urandom(NONCE)
    place = _place(key, attribute)
    return bytes((VERSION, generation)) + nonce + cipher.encrypt(nonce, text.encode(), place)


def unseal(sealed: bytes, *, cipher: AESGCM, generation: int, key: Key, attribute: str) -> str:
    """Returns the text. Raises `cryptography.exceptions.InvalidTag` if the value was altered, belongs to another place,
    or was sealed with another key."""
    nonce, text = sealed[HEAD : HEAD + NONCE], sealed[HEAD + NONCE :]
    if sealed[:HEAD] != bytes((VERSION, generation)) or len(nonce) < NONCE:
        raise InvalidTag(f"no sealed value in {attribute} of {key}")
    return cipher.decrypt(nonce, text, _place(key, attribute)).decode()


def _place(key: Key, attribute: str) -> bytes:
    return json.dumps([SCOPE, *key, attribute, VERSION]).encode()

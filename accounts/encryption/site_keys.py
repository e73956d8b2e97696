"""Texts that are encrypted with a key of the site, each bound to its place, so a copy elsewhere cannot be decrypted;
keyed hashes of what is only looked up (email addresses, recovery codes); and what outlives a key that is retired.

An encrypted text is `<version>:<key id>:<base64 of nonce and ciphertext>`. Version 1 uses a key of the site. A text
without a version is from before keys could be replaced. People's private values are sealed with a key of their own
(`person_keys.py`); those from before that are such texts.

Nobody has people's recovery codes any more, the audit log must not be rewritten, and a letter of years ago can still be
unsubscribed from. So when a `DATA_KEY` is retired, the secrets that were derived from it for these three stay in the
table, encrypted with the current key.
"""

import base64
import hashlib
import hmac
import json
import os
from collections.abc import Iterator

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from socialsite.data_keys import DataKey, current_key, data_keys
from socialsite.table import (
    AlreadyExists,
    Create,
    Key,
    access_pattern,
    as_model,
    change,
    keys,
    query,
    transact,
)
from socialsite.table.models import RetiredKey

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


RECOVERY_CODES = "recovery code look-up"
AUDIT_LOG = "audit log"
LETTERS = "letters"
KEPT = (RECOVERY_CODES, AUDIT_LOG, LETTERS)
RETIRED = "retired key"
RETIRED_ATTRIBUTE = "secrets"


@access_pattern
def secrets_for(use: str) -> Iterator[bytes]:
    """Yields the secrets for one use: those of the current key, of earlier keys, and of retired keys.

    One Query, 1 read unit, if the caller gets as far as the retired keys.
    """
    yield from (data_key.secret(use) for data_key in data_keys())
    for retired in _list_retired():
        if secret := _decrypt_secret(retired).get(
            use
        ):  # one retired by earlier code lacks later uses
            yield bytes.fromhex(secret)


@access_pattern
def retire_key(data_key: DataKey) -> None:
    """Keeps the secrets that must outlive the key. Safe to repeat. One TransactWriteItems, 2 write units."""
    text = json.dumps({use: data_key.secret(use).hex() for use in KEPT})
    try:
        transact(
            Create(RetiredKey.new(key_id=data_key.id, secrets=_encrypt_secret(data_key.id, text)))
        )
    except AlreadyExists:
        return


@access_pattern
def reencrypt_retired_keys() -> None:
    """Encrypts the secrets of retired keys with the current key. Safe to repeat. One Query, 1 write unit a key."""
    for retired in _list_retired():
        if not is_current(retired.secrets):
            encrypted = _encrypt_secret(retired.key_id, json.dumps(_decrypt_secret(retired)))
            unchanged = RetiredKey.secrets == retired.secrets
            change(
                RetiredKey, retired.key, [RetiredKey.secrets.set(encrypted)], condition=unchanged
            )


def _list_retired() -> list[RetiredKey]:
    return [as_model(RetiredKey, raw) for raw in query(keys.retired_keys(), consistent=True)]


def _encrypt_secret(key_id: str, text: str) -> str:
    return encrypt(text, purpose=RETIRED, key=keys.retired_key(key_id), attribute=RETIRED_ATTRIBUTE)


def _decrypt_secret(retired: RetiredKey) -> dict[str, str]:
    text = decrypt(retired.secrets, purpose=RETIRED, key=retired.key, attribute=RETIRED_ATTRIBUTE)
    decrypted: dict[str, str] = json.loads(text)
    return decrypted

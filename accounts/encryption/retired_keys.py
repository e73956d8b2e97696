"""Keeps the secrets that must outlive an earlier `DATA_KEY`, because their hashes cannot be made again.

Nobody has people's recovery codes any more, and the audit log must not be rewritten. So when a key is retired, the
secrets that were derived from it for these two stay in the table, encrypted with the current key.
"""

import json
from collections.abc import Iterator

from accounts.encryption.encrypted_text import decrypt, encrypt, is_current
from socialsite.data_keys import DataKey, data_keys
from socialsite.models import RetiredKey
from socialsite.table import keys
from socialsite.table.actions import Create
from socialsite.table.errors import AlreadyExists
from socialsite.table.meter import access_pattern
from socialsite.table.reading import as_model, query
from socialsite.table.writing import change, transact

RECOVERY_CODES = "recovery code look-up"
AUDIT_LOG = "audit log"
KEPT = (RECOVERY_CODES, AUDIT_LOG)
PURPOSE = "retired key"
ATTRIBUTE = "secrets"


@access_pattern
def secrets_for(use: str) -> Iterator[bytes]:
    """Yields the secrets for one use: those of the current key, of earlier keys, and of retired keys.

    One Query, 1 read unit, if the caller gets as far as the retired keys.
    """
    yield from (data_key.secret(use) for data_key in data_keys())
    for retired in _list_retired():
        yield bytes.fromhex(_decrypt(retired)[use])


@access_pattern
def retire_key(data_key: DataKey) -> None:
    """Keeps the secrets that must outlive the key. Safe to repeat. 2 write units."""
    text = json.dumps({use: data_key.secret(use).hex() for use in KEPT})
    try:
        transact(Create(RetiredKey.new(key_id=data_key.id, secrets=_encrypt(data_key.id, text))))
    except AlreadyExists:
        return


@access_pattern
def reencrypt_retired_keys() -> None:
    """Encrypts the secrets of retired keys with the current key. Safe to repeat. One Query, 1 write unit a key."""
    for retired in _list_retired():
        if not is_current(retired.secrets):
            encrypted = _encrypt(retired.key_id, json.dumps(_decrypt(retired)))
            unchanged = RetiredKey.secrets == retired.secrets
            change(
                RetiredKey, retired.key, [RetiredKey.secrets.set(encrypted)], condition=unchanged
            )


def _list_retired() -> list[RetiredKey]:
    return [as_model(RetiredKey, raw) for raw in query(keys.retired_keys(), consistent=True)]


def _encrypt(key_id: str, text: str) -> str:
    return encrypt(text, purpose=PURPOSE, key=keys.retired_key(key_id), attribute=ATTRIBUTE)


def _decrypt(retired: RetiredKey) -> dict[str, str]:
    text = decrypt(retired.secrets, purpose=PURPOSE, key=retired.key, attribute=ATTRIBUTE)
    decrypted: dict[str, str] = json.loads(text)
    return decrypted

"""Reads a person's private text, of whichever scheme: sealed with their key, or encrypted with a key of the site before
people had keys. The type of the value tells which."""

from accounts.encryption.encrypted_text import decrypt
from accounts.encryption.person_keys import open_person_key
from accounts.encryption.sealed_attribute import Sealed
from socialsite.table.keys import Key


def private_text(value: Sealed, *, user_id: str, purpose: str, key: Key, attribute: str) -> str:
    """Returns the readable text. Raises `NoPersonKey`, and `cryptography.exceptions.InvalidTag` if it was altered,
    belongs to another place, or no key fits. 0.5 read units, as `open_person_key`."""
    if isinstance(value, str):
        return decrypt(value, purpose=purpose, key=key, attribute=attribute)
    return open_person_key(user_id).unseal(value, key=key, attribute=attribute)

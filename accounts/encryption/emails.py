"""Email addresses: found by a keyed hash, kept encrypted.

The table never holds a readable address. `email#<hmac>` makes it unique and finds its account. The address itself is
encrypted, for its place in the credentials only (`encrypted_text.py`).
"""

from accounts.encryption.encrypted_text import decrypt, encrypt, keyed_hashes
from socialsite.table import keys

PURPOSE = "e-mail"
ATTRIBUTE = "email"


def normalize_email(address: str) -> str:
    """Returns one spelling for each mailbox, all in lower case. For look-ups only."""
    return address.strip().lower()


def email_hmac(address: str) -> str:
    return email_hmacs(address)[0]


def email_hmacs(address: str) -> list[str]:
    """Returns the hash under each key of the settings, the current one first. An address is in use if any of them is
    claimed."""
    return keyed_hashes(normalize_email(address), purpose=PURPOSE)


def encrypt_email(address: str, *, user_id: str) -> str:
    return encrypt(address, purpose=PURPOSE, key=keys.credentials(user_id), attribute=ATTRIBUTE)


def decrypt_email(encrypted: str, *, user_id: str) -> str:
    """Returns the readable address. Raises `cryptography.exceptions.InvalidTag` if it was altered or is someone
    else's."""
    return decrypt(encrypted, purpose=PURPOSE, key=keys.credentials(user_id), attribute=ATTRIBUTE)

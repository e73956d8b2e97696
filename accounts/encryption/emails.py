"""Email addresses: found by a keyed hash, kept encrypted.

The table never holds an address that can be read: `email#<hmac>` makes it unique and finds its account, and the
address itself is encrypted for the credentials in which it stands (`sealing.py`).
"""

from accounts.encryption.encrypted_text import decrypt, encrypt, keyed_hashes
from socialsite.table import keys

PURPOSE = "e-mail"
ATTRIBUTE = "email"


def normalize_email(address: str) -> str:
    """One spelling per mailbox: the domain, and for looking it up also the part before @, in lower case."""
    return address.strip().lower()


def email_hmac(address: str) -> str:
    return email_hmacs(address)[0]


def email_hmacs(address: str) -> list[str]:
    """The hash under each key of the settings, the current one first: an address is taken if any of them is claimed."""
    return keyed_hashes(normalize_email(address), purpose=PURPOSE)


def encrypt_email(address: str, *, user_id: str) -> str:
    return encrypt(address, purpose=PURPOSE, key=keys.credentials(user_id), attribute=ATTRIBUTE)


def decrypt_email(encrypted: str, *, user_id: str) -> str:
    """Raises `cryptography.exceptions.InvalidTag` if it was altered or belongs to someone else."""
    return decrypt(encrypted, purpose=PURPOSE, key=keys.credentials(user_id), attribute=ATTRIBUTE)

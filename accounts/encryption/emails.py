"""Email addresses: found by a keyed hash, kept encrypted.

The table never holds a readable address. `email#<hmac>` makes it unique and finds its account, and
`maildomain#<hmac>` finds it by its domain. The address itself is
sealed with the person's key, for its place in the credentials only (`person_keys.py`).
"""

from accounts.encryption.encrypted_text import keyed_hashes
from accounts.encryption.person_keys import OpenKey
from accounts.encryption.private_text import private_text
from accounts.encryption.sealed_attribute import Sealed
from socialsite.hosts import normal_host
from socialsite.table import keys

PURPOSE = "e-mail"
DOMAIN_PURPOSE = "e-mail domain"
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


def domain_hmacs(address: str) -> list[str]:
    """Returns the hash of the address's domain, or of a domain alone, under each key, the current one first."""
    domain = normal_host(address.rpartition("@")[2])
    return keyed_hashes(domain, purpose=DOMAIN_PURPOSE)


def encrypt_email(address: str, *, key: OpenKey) -> bytes:
    """Seals the address for the person of this key. The transaction that writes it includes `key.check()`."""
    return key.seal(address, key=keys.credentials(key.user_id), attribute=ATTRIBUTE)


def decrypt_email(encrypted: Sealed, *, user_id: str) -> str:
    """Returns the readable address. Raises `NoPersonKey`, and `cryptography.exceptions.InvalidTag` if it was altered or
    is someone else's. 0.5 read units, as `open_person_key`."""
    place = keys.credentials(user_id)
    return private_text(encrypted, user_id=user_id, purpose=PURPOSE, key=place, attribute=ATTRIBUTE)

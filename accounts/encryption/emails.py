"""Email addresses: found by a keyed hash, kept encrypted, and claimed.

The table never holds a readable address. `email#<hmac>` makes it unique and finds its account, and
`maildomain#<hmac>` lets staff find its person by its domain, a whole one alone. The address itself is sealed with the
person's key, for its place in the credentials only (`person_keys.py`). Claims and entries come and go with the
address.
"""

from accounts.encryption.person_keys import OpenKey, private_text
from accounts.encryption.site_keys import keyed_hashes
from accounts.models import DomainEntry, EmailClaim, Sealed
from socialsite.clock import utc_now
from socialsite.hosts import normal_host
from socialsite.table import (
    IS_ABSENT,
    Check,
    Create,
    Erase,
    Key,
    Put,
    TableError,
    WriteAction,
    access_pattern,
    fetch,
    keys,
    row,
)

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


@access_pattern
def list_claims(address: str) -> dict[Key, str]:
    """Returns who holds an address, by the key of each claim: at most one for each `DATA_KEY`. Those that are only kept
    for an owner who changed their address count too.

    BatchGetItem consistent, 1 read unit a key of the settings.
    """
    found = fetch([keys.email_claim(hmac) for hmac in email_hmacs(address)], consistent=True)
    return {key: row(EmailClaim, raw).user_id for key, raw in found.items()}


def claim(address: str, *, user_id: str, otherwise: type[TableError]) -> list[WriteAction]:
    """Returns the actions that take a free address, under the current `DATA_KEY`, if it is free under all of them. One
    action, and one more for each earlier key; 2 write units each."""
    hmac, *earlier = email_hmacs(address)
    is_free = IS_ABSENT | (EmailClaim.ttl <= utc_now())
    return [
        Create(
            EmailClaim.new(email_hmac=hmac, user_id=user_id),
            otherwise=otherwise,
            over_expired=True,
        ),
        *(Check(keys.email_claim(old), is_free, otherwise) for old in earlier),
    ]


def list_under_domain(address: str, *, user_id: str, instead_of: str = "") -> list[WriteAction]:
    """Returns the actions that list a person under the domain of this address, under the current `DATA_KEY`, and no
    more under that of the address before. 2 write units, and 2 for each key if the domain before was another."""
    current = domain_hmacs(address)[0]
    entry = DomainEntry.new(domain_hmac=current, user_id=user_id)
    former = domain_hmacs(instead_of) if instead_of else []
    return [Put(entry), *_erased([hmac for hmac in former if hmac != current], user_id)]


def leave_domain(address: str, *, user_id: str) -> list[WriteAction]:
    """Returns the actions that list a person under the domain of this address no more. 2 write units a key."""
    return _erased(domain_hmacs(address), user_id)


def _erased(hmacs: list[str], user_id: str) -> list[WriteAction]:
    return [Erase(keys.domain_entry(hmac, user_id)) for hmac in hmacs]

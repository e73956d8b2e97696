"""The domain of a confirmed email address, by which staff find its person: entries come and go with the address.

An entry holds the keyed hash of the domain alone, so that only a whole domain finds anyone.
"""

from accounts.encryption.emails import domain_hmacs
from accounts.models import DomainEntry
from socialsite.table import keys
from socialsite.table.actions import Erase, Put, WriteAction


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

"""Claims of email addresses: the actions that take one, keep it for its owner for a while, and free it."""

from accounts.encryption.emails import email_hmacs
from accounts.models import EmailClaim
from socialsite.clock import utc_now
from socialsite.table import keys
from socialsite.table.actions import IS_ABSENT, Check, Create, WriteAction
from socialsite.table.errors import TableError
from socialsite.table.keys import Key
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch
from socialsite.table.row import row


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

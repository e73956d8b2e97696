"""Brings one account under the current `DATA_KEY`: its encrypted values, and the claim that finds its email address."""

from pynamodb.expressions.update import Action

from accounts.encryption.emails import decrypt_email, email_hmacs, encrypt_email
from accounts.encryption.encrypted_text import is_current
from accounts.models import Credentials, EmailClaim
from accounts.signing_in.second_factor import decrypt_secret, encrypt_secret
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete, WriteAction
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import fetch, get
from socialsite.table.row import row
from socialsite.table.writing import transact


class EmailClaimed(TableError):
    """Another account has the email address under the current key."""


@access_pattern
def reencrypt(user_id: str) -> bool:
    """Encrypts an account's values with the current key and moves its email claim; False if that was done before.

    GetItem of Credentials and BatchGetItem of the claims, consistent; one TransactWriteItems of up to 3 items and more
    with more than one earlier key, 6 write units. Raises `EmailClaimed`, `NotFound`, and
    `cryptography.exceptions.InvalidTag` where no key of the settings fits.
    """

    def attempt() -> bool:
        credentials = get(Credentials, keys.credentials(user_id), consistent=True)
        actions = _encrypted_anew(credentials)
        if not actions:
            return False
        kept = Credentials.email == credentials.email
        kept &= (
            Credentials.totp == credentials.totp
            if credentials.totp
            else Credentials.totp.does_not_exist()
        )
        transact(
            Change(Credentials, credentials.key, actions, kept, Moved),
            *_moved_claim(credentials),
        )
        return True

    return write_as_read(attempt)


def _encrypted_anew(credentials: Credentials) -> list[Action]:
    user_id = credentials.user_id
    actions: list[Action] = []
    if not is_current(credentials.email):
        address = decrypt_email(credentials.email, user_id=user_id)
        actions.append(Credentials.email.set(encrypt_email(address, user_id=user_id)))
    if credentials.totp and not is_current(credentials.totp):
        secret = decrypt_secret(credentials.totp, user_id=user_id)
        actions.append(Credentials.totp.set(encrypt_secret(secret, user_id=user_id)))
    return actions


def _moved_claim(credentials: Credentials) -> list[WriteAction]:
    """Returns the actions that claim the address under the current key instead of earlier ones."""
    user_id = credentials.user_id
    hmacs = email_hmacs(decrypt_email(credentials.email, user_id=user_id))
    found = fetch([keys.email_claim(hmac) for hmac in hmacs], consistent=True)
    owners = {key: row(EmailClaim, raw).user_id for key, raw in found.items()}
    current, *earlier = (keys.email_claim(hmac) for hmac in hmacs)
    own = [key for key in earlier if owners.get(key) == user_id]
    if own and owners.get(current, user_id) != user_id:
        raise EmailClaimed(user_id)
    is_own = EmailClaim.user_id == user_id
    moved: list[WriteAction] = [Delete(key, is_own, Moved) for key in own]
    if own and current not in owners:
        claim = EmailClaim.new(email_hmac=hmacs[0], user_id=user_id)
        moved.append(Create(claim, Moved))
    return moved

"""Renaming and removing passkeys."""

from accounts.mail.posting import post_mail
from accounts.models import Credentials, Passkey
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.actions import Change, Delete
from socialsite.table.errors import NotFound, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import change, transact
from socialsite.web.observing.security_log import Event, note_event


class LastWayIn(TableError):
    """Without this passkey nobody could sign in to the account."""


@access_pattern
def rename_passkey(*, by: Viewer, credential_hash: str, name: str) -> None:
    """Gives one of the person's own passkeys another name. 1 write unit. Raises `NotFound`."""
    change(Passkey, keys.passkey(by.user_id, credential_hash), [Passkey.name.set(name)])


@access_pattern
def remove_passkey(*, by: Viewer, credential_hash: str) -> None:
    """Deletes one of the person's own passkeys: it signs nobody in from now on. Where it signed in before stays signed
    in. Safe to repeat. Raises `LastWayIn`.

    The last way into an account cannot be removed. Today every account has a password, so the condition on it always
    holds; it stands here for the day on which accounts without one come.

    One TransactWriteItems of passkey, claim and Credentials, and of the letter, 8 write units.
    """
    count, password = Credentials.passkeys, Credentials.password
    try:
        transact(
            Delete(keys.passkey(by.user_id, credential_hash)),
            Delete(keys.passkey_claim(credential_hash)),
            Change(
                Credentials,
                keys.credentials(by.user_id),
                [count.add(-1)],
                condition=password.exists() | (count > 1),
                otherwise=LastWayIn,
            ),
            post_mail("passkey-removed", user_id=by.user_id),
        )
    except NotFound:
        return
    note_event(Event.PASSKEY_REMOVED, account=by.user_id)

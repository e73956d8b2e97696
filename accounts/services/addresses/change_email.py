"""Asking for another email address, or for the link to the wished one again. Nothing changes until it is confirmed."""

from accounts.encryption.emails import encrypt_email, normalize_email
from accounts.mail.posting import post_mail
from accounts.models import Credentials
from accounts.services.addresses.own_address import fixed_until, readable
from accounts.services.reencrypt import key_to_seal
from accounts.viewer import Viewer
from socialsite.table import ids, keys
from socialsite.table.actions import Change, Create
from socialsite.table.as_read import Moved, write_as_read
from socialsite.table.errors import TableError
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


class SameAddress(TableError):
    """It is their address already."""


class ChangedLately(TableError):
    """The last change can still be undone, so no other begins."""


@access_pattern
def change_email(*, by: Viewer, email: str) -> None:
    """Notes the address that someone wants, and posts the link to it. Raises `SameAddress`, `ChangedLately`.

    The same is written whether or not another account has the address: the clock looks when it sends the letter. As
    `key_to_seal`, and one GetItem consistent, 1.5 read units; one TransactWriteItems of Credentials and the letter, and
    a check of the key: 6 write units.
    """
    key = key_to_seal(by.user_id)

    def attempt() -> None:
        credentials = get(Credentials, keys.credentials(by.user_id), consistent=True)
        if fixed_until(credentials):
            raise ChangedLately
        own = readable(credentials.email, by.user_id)
        if normalize_email(own) == normalize_email(email):
            raise SameAddress
        undo_until = Credentials.undo_until
        unchanged = (
            undo_until == credentials.undo_until
            if credentials.undo_until
            else undo_until.does_not_exist()
        )
        wished = Credentials.wished_email.set(encrypt_email(email, key=key))
        changed = Change(Credentials, credentials.key, [wished], unchanged, Moved)
        transact(changed, key.check(), _letter(by))

    write_as_read(attempt)
    note_event(Event.EMAIL_WISHED, account=by.user_id)


@access_pattern
def send_link_again(*, by: Viewer) -> bool:
    """Posts the link to the wished address once more. Returns whether there is one.

    One GetItem consistent, 1 unit; one TransactWriteItems of the letter, 2 write units.
    """
    if not get(Credentials, keys.credentials(by.user_id), consistent=True).wished_email:
        return False
    transact(_letter(by))
    return True


def _letter(by: Viewer) -> Create:
    return post_mail("confirm-email", user_id=by.user_id, token=ids.new_id())

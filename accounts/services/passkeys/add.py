"""Adding a passkey, after a fresh proof of identity."""

from accounts.mail.posting import post_mail
from accounts.models import Credentials, Passkey, PasskeyClaim
from accounts.passkeys.answers import Answer, WrongPasskey, read_new_key
from accounts.passkeys.challenges import use_up
from accounts.passkeys.keyring import MOST_PASSKEYS
from accounts.passkeys.relying_party import RelyingParty
from accounts.services.sign_in import this_moment
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.actions import Change, Check, Create
from socialsite.table.errors import AlreadyExists, TableError
from socialsite.table.meter import access_pattern
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


class PasskeyExists(AlreadyExists):
    """An account has this passkey already."""


class NoRoomForIt(TableError):
    """The account has as many passkeys as it may have, or another browser added its first one a moment ago."""


@access_pattern
def add_passkey(
    *,
    by: Viewer,
    party: RelyingParty,
    challenge: bytes,
    answer: Answer,
    user_handle: str,
    name: str,
) -> None:
    """Keeps the public key of a passkey that the person's device has just made, for this user handle. Raises
    `WrongPasskey`, also if this sign-in has ended meanwhile, `PasskeyExists`, `NoRoomForIt`.

    One TransactWriteItems of the claim, the passkey, Credentials and the used challenge, and a check of this sign-in:
    10 write units, and 2 for the letter.
    """
    new = read_new_key(answer, party=party, challenge=challenge)
    passkey = Passkey.new(
        user_id=by.user_id,
        credential_hash=answer.credential_hash,
        credential_id=answer.credential_id,
        public_key=new.public_key,
        counter=new.counter,
        transports=new.transports,
        aaguid=new.aaguid,
        backed_up=new.backed_up,
        name=name,
        created=this_moment(),
    )
    claim = PasskeyClaim.new(credential_hash=answer.credential_hash, user_id=by.user_id)
    transact(
        Create(claim, otherwise=PasskeyExists),
        Create(passkey, otherwise=PasskeyExists),
        _counted(by, user_handle),
        Check(keys.sign_in(by.user_id, by.secret_hash), otherwise=WrongPasskey),
        use_up(challenge),
        post_mail("passkey-added", user_id=by.user_id, name=name),
    )
    note_event(Event.PASSKEY_ADDED, account=by.user_id)


def _counted(by: Viewer, user_handle: str) -> Change:
    count, handle = Credentials.passkeys, Credentials.user_handle
    return Change(
        Credentials,
        keys.credentials(by.user_id),
        [count.add(1), handle.set(user_handle)],
        condition=(count.does_not_exist() | (count < MOST_PASSKEYS))
        & (handle.does_not_exist() | (handle == user_handle)),
        otherwise=NoRoomForIt,
    )

"""Proving your identity again with a passkey, instead of the password and a code."""

from accounts.models import Credentials
from accounts.passkeys.answers import Answer
from accounts.passkeys.relying_party import RelyingParty
from accounts.services.passkeys.sign_in import new_proved
from accounts.services.passkeys.use import get_passkey, noting_refusals, use_passkey
from accounts.viewer import Viewer
from socialsite.table import keys
from socialsite.table.actions import Create, Delete
from socialsite.table.meter import access_pattern
from socialsite.table.reading import get
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


@access_pattern
def prove_with_passkey(
    *, by: Viewer, party: RelyingParty, challenge: bytes, answer: Answer, browser: str
) -> str:
    """Does what `prove_identity` does, if one of the person's own passkeys answered, on a device that verified its
    owner. Returns the secret of the new sign-in. Raises `WrongPasskey`, and `NotFound` if this sign-in has ended.

    What `get_passkey` reads, and Credentials, 1 unit; one TransactWriteItems of passkey, challenge and both SignIns, 8
    write units.
    """
    with noting_refusals(by.account_id):
        passkey = get_passkey(by.account_id, answer)
        used = use_passkey(passkey, answer, party=party, challenge=challenge)
        credentials = get(Credentials, keys.credentials(by.account_id), consistent=True)
        secret, proved = new_proved(by.account_id, browser, int(credentials.epoch or 0))
        ended = Delete(keys.sign_in(by.account_id, by.secret_hash))
        transact(*used, Create(proved), ended)
    note_event(Event.IDENTITY_PROVED, account=by.account_id, passkey="yes")
    return secret

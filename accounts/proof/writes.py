"""Proving your identity again, with the password and a code, or with a passkey."""

import secrets

from accounts.credentials.passkeys import Answer, RelyingParty
from accounts.credentials.passwords import WrongPassword, password_matches
from accounts.credentials.second_factor import SecondFactor
from accounts.models import Credentials, SignIn
from accounts.people.viewer import BY_CODE, BY_PASSWORD, Viewer
from accounts.sessions import new_sign_in, this_moment
from accounts.sign_in.writes import get_passkey, new_proved, noting_refusals, use_passkey
from socialsite.observing.logs import Event, note_event
from socialsite.table import (
    Change,
    Create,
    Delete,
    RawItem,
    access_pattern,
    fetch,
    get,
    keys,
    row,
    transact,
)


@access_pattern
def prove_identity(*, by: Viewer, password: str, browser: str, code: str = "") -> str:
    """Checks the password, and the code if two-step verification is on. Returns the secret of a new sign-in with the
    proof, which takes the place of this one: a copy of the old cookie, whenever it was made, proves nothing. Raises
    `WrongPassword`, `WrongCode`, and `NotFound` if this sign-in has ended.

    One consistent read of Credentials, 1 unit; one TransactWriteItems of both SignIns and, with a code, Credentials: 4
    or 6 write units.
    """
    credentials = get_own_credentials(by=by, password=password)
    factor = SecondFactor.from_raw(by.account_id, credentials)
    secret, epoch = secrets.token_urlsafe(32), int(row(Credentials, credentials).epoch)
    proved = new_sign_in(by.account_id, secret, browser=browser, epoch=epoch)
    proved.proved_at, proved.proved_with = this_moment(), BY_CODE if factor.is_on else BY_PASSWORD
    used = [factor.use(code)] if factor.is_on else []
    transact(*used, Create(proved), Delete(keys.sign_in(by.account_id, by.secret_hash)))
    note_event(Event.IDENTITY_PROVED, account=by.account_id)
    return secret


@access_pattern
def renew_sign_in(*, by: Viewer) -> str:
    """Returns the secret of a new sign-in in the place of this one, with its proof: copies of the old cookie are worth
    nothing from now on. Raises `NotFound` if this sign-in has ended.

    One consistent GetItem, 1 unit; one TransactWriteItems of both SignIns, 4 write units.
    """
    key = keys.sign_in(by.account_id, by.secret_hash)
    old, secret = get(SignIn, key, consistent=True), secrets.token_urlsafe(32)
    new = new_sign_in(by.account_id, secret, browser=old.browser, epoch=int(old.epoch or 0))
    new.proved_at, new.proved_with = old.proved_at, old.proved_with
    transact(Create(new), Delete(key))
    return secret


@access_pattern
def check_own_password(*, by: Viewer, password: str) -> SecondFactor:
    """Checks the password and returns the person's two-step verification, on or off. Raises `WrongPassword`.

    Costs what `get_own_credentials` does.
    """
    return SecondFactor.from_raw(by.account_id, get_own_credentials(by=by, password=password))


@access_pattern
def get_own_credentials(*, by: Viewer, password: str) -> RawItem:
    """Returns the person's Credentials if this is their password, else raises `WrongPassword`.

    One consistent BatchGetItem, 1 read unit, and a password hash.
    """
    key = keys.credentials(by.account_id)
    credentials = fetch([key], consistent=True).get(key, {})
    if not password_matches(password, row(Credentials, credentials).password or None):
        note_event(Event.WRONG_PASSWORD, account=by.account_id)
        raise WrongPassword
    return credentials


def note_proof(by: Viewer, proved_with: str) -> Change:
    """Returns the action that notes a proof of identity in this sign-in."""
    actions = [SignIn.proved_at.set(this_moment()), SignIn.proved_with.set(proved_with)]
    return Change(SignIn, keys.sign_in(by.account_id, by.secret_hash), actions)


@access_pattern
def prove_with_passkey(
    *, by: Viewer, party: RelyingParty, challenge: bytes, answer: Answer, browser: str
) -> str:
    """Proves as `prove_identity` does who is there, if one of the person's own passkeys answered, on a device that
    verified its owner. Returns the secret of the new sign-in. Raises `WrongPasskey`, and `NotFound` if this sign-in has
    ended.

    What `get_passkey` reads, and Credentials, 1 unit; one TransactWriteItems of passkey, challenge and both SignIns, 8
    write units. In all 8 write units and 1.5 read units.
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

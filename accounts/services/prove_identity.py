"""Proving your identity again, before anything that others must not do in a browser left open."""

import secrets

from accounts.models import Credentials, SignIn
from accounts.services.sign_in import WrongPassword, new_sign_in, this_moment
from accounts.signing_in.hashers import password_matches
from accounts.signing_in.second_factor import SecondFactor
from accounts.viewer import BY_CODE, BY_PASSWORD, Viewer
from socialsite.table import keys
from socialsite.table.actions import Change, Create, Delete
from socialsite.table.meter import access_pattern
from socialsite.table.reading import RawItem, fetch, get
from socialsite.table.row import row
from socialsite.table.writing import transact
from socialsite.web.observing.security_log import Event, note_event


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
    """Returns the secret of a new sign-in that takes this one's place, with its proof: copies of the old cookie are
    worth nothing from now on. Raises `NotFound` if this sign-in has ended.

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

    One consistent read, 1 unit, and a password hash.
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
